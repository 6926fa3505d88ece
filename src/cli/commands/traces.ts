import { z } from 'zod';
import { stringifyJson } from '../../core/json.ts';
import { type PassAt, passAt } from '../../reports/pass-at/index.ts';
import { type BehaviorSince, type BehaviorsSince, behaviorsSince } from '../../reports/traces/behaviors-since.ts';
import { dimensionsFromTraces } from '../../reports/traces/dimensions-from-traces.ts';
import { toolsFromTraces } from '../../reports/traces/infer-harness.ts';
import { type LeakageReport, leakageReport } from '../../reports/traces/leakage-report.ts';
import { openingShare } from '../../reports/traces/opening-share.ts';
import { type TraceReport, traceReport } from '../../reports/traces/trace-report.ts';
import { latestRevisions } from '../../rows/revision.ts';
import type { Row } from '../../rows/row.ts';
import { type Tool, toolsFrom } from '../../rows/tool.ts';
import { filesSource } from '../../sources/files/index.ts';
import { defineCommand } from '../command.ts';
import { interval, share } from '../figures.ts';
import { found } from '../found.ts';
import { exits } from '../io.ts';
import { readInput, readTools } from '../read-inputs.ts';
import { type RejectionCount, rejectionTable } from '../rejections.ts';
import { isAllRejected, readRows, rowsOf } from '../run-rows.ts';
import { table } from '../table.ts';

const options = z.strictObject({
  format: z.string().optional().describe('Format of all files. Without it each file is read as what it holds.'),
  tools: z
    .string()
    .optional()
    .describe('File of the tools of the agent. Without it those that the traces declare, or call.'),
  policy: z.string().optional().describe('File of its system prompt. Without it the first one that the traces hold.'),
  since: z
    .string()
    .optional()
    .describe('Version or date (2026-01-31) from which on behaviours count as new. The last version when left out.'),
  against: z
    .string()
    .optional()
    .describe('File of rows, such as a generated set: tell how many of its asks are copies of asks of the traces.'),
  json: z.boolean().default(false).describe('Write all figures to stdout as JSON.'),
});

export const tracesCommand = defineCommand({
  name: 'traces',
  args: '<file...>',
  summary: 'Tell what production traces show, and what a run with them would aim at.',
  options,
  examples: [
    'tracemill traces traces.jsonl',
    'tracemill traces spans.json --tools tools.json --against out/rows.jsonl',
  ],
  async run(paths, { format, tools, policy, since, against, json }, io) {
    const about = found();
    const read = async (files: readonly string[], tell: Parameters<typeof filesSource>[1] = () => {}) => {
      const rows: Row[] = [];
      const { counts, rejected, isStopped } = await readRows(io, {
        source: filesSource({ paths: [...files], ...(format !== undefined && { format }) }, tell),
        each: (row) => rows.push(row),
        words: (now) => `traces: ${rowsOf(now, 'source', 'out')} rows`,
      });
      const latest = latestRevisions(rows);
      return { rows: latest, superseded: rows.length - latest.length, counts, rejected, isStopped };
    };
    const { rows, superseded, counts, rejected, isStopped } = await read(paths, about.finding);
    if (isStopped) return exits.stopped;
    for (const row of rows) about.row(row);
    const said = about.end();
    const agent = {
      tools: tools === undefined ? toolsOf(said.tools, rows) : await readTools(tools),
      policy: policy === undefined ? (said.systemPrompt ?? '') : await readInput(policy, '--policy'),
    };
    const figures: Figures = {
      ...traceReport(rows, agent),
      ...(superseded > 0 && { superseded }),
      pass_at: passAt(rows),
      opening_share: openingShare(rows),
      tools: agent.tools.map(({ name }) => name),
      dimensions: dimensionsFromTraces(rows, agent.tools, agent.policy),
      behaviors: behaviorsSince(rows, since === undefined ? {} : { since }),
      ...(against !== undefined && { leakage: leakageReport((await read([against])).rows, rows) }),
      rejected,
    };
    io.out(json ? `${stringifyJson(figures)}\n` : `${screen(figures)}\n`);
    return isAllRejected(counts) ? exits.worldFailed : exits.done;
  },
});

interface Figures extends TraceReport {
  readonly pass_at: PassAt;
  readonly opening_share: number;
  /** Tools that the aim is made of. */
  readonly tools: readonly string[];
  readonly dimensions: object;
  readonly behaviors: BehaviorsSince;
  readonly leakage?: LeakageReport;
  readonly rejected: readonly RejectionCount[];
}

function toolsOf(declared: readonly unknown[], rows: readonly Row[]): readonly Tool[] {
  return toolsFrom(declared.length > 0 ? declared : toolsFromTraces(rows));
}

/** What fits a screen: the most frequent of each list, and how many more there are. */
const shown = 8;

function screen(figures: Figures): string {
  const {
    traces,
    dropped,
    superseded = 0,
    unique_prompts,
    graded,
    passes,
    ungraded,
    advisory_labels,
    pass_at,
  } = figures;
  const rate = `${share(pass_at.pass_at_1)} ${interval(pass_at.ci95)}`;
  const lines = [
    `${traces} traces, ${unique_prompts} different asks, ${figures.distinct_behaviors} different behaviours${dropped > 0 ? `, ${dropped} entries are no traces` : ''}${superseded > 0 ? `, ${superseded} earlier tellings of them left out` : ''}.`,
    graded === 0
      ? `None is graded${advisory_labels > 0 ? `, ${advisory_labels} have an advisory label` : ''}. Grade them: tracemill grade FILE --judge ./judge.mjs`
      : `Pass rate ${rate} over tasks: ${passes} of ${graded} graded pass, ${ungraded} are not graded.`,
    '',
    toolTable(figures),
    '',
    `Traces by the first fault of each: ${counted(figures.faults_observed)}.`,
    `States of the world: ${counted(figures.world_states_observed)}.`,
    ...aimLines(figures),
    '',
    ...behaviorLines(figures.behaviors),
    ...leakLines(figures.leakage),
  ];
  if (figures.rejected.length > 0) lines.push('', rejectionTable(figures.rejected));
  return lines.join('\n');
}

function toolTable({ tools_observed }: Figures): string {
  const tools = Object.entries(tools_observed).sort(([, a], [, b]) => b.fault_n - a.fault_n || b.n - a.n);
  if (tools.length === 0) return 'No tool was called.';
  const rows = tools.slice(0, shown).map(([name, { n, fault_n }]) => [name, String(n), String(fault_n)]);
  return table(['tool', 'calls', 'calls with a fault'], rows) + more(tools.length);
}

const more = (length: number): string => (length > shown ? `\n... and ${length - shown} more` : '');

function counted(counts: Readonly<Record<string, number>>): string {
  const most = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const rest = most.length > shown ? `, and ${most.length - shown} more` : '';
  return most.length === 0
    ? 'none seen'
    : most
        .slice(0, shown)
        .map(([name, n]) => `${name} ${n}`)
        .join(', ') + rest;
}

function aimLines({ emphasis = {}, foreign_tools = [] }: Figures): string[] {
  const axes = Object.entries(emphasis).map(([axis, values]) => `  ${axis}: ${values.slice(0, shown).join(', ')}`);
  return [
    axes.length === 0
      ? 'A run with these traces would aim at nothing in particular.'
      : 'A run with these traces would aim at',
    ...axes,
    ...(foreign_tools.length > 0 ? [`Called and not declared: ${foreign_tools.slice(0, shown).join(', ')}.`] : []),
  ];
}

function behaviorLines(behaviors: BehaviorsSince): string[] {
  const { since, n_before, n_now } = behaviors;
  const head =
    since === null
      ? 'Failing behaviours (there is no earlier version to compare with):'
      : `Failing behaviours since ${since} (${n_now} traces, ${n_before} before):`;
  const line = (word: string, regions: readonly BehaviorSince[]): string[] =>
    regions.length === 0
      ? []
      : [
          `  ${word}: ${regions.slice(0, shown).map(regionWords).join(', ')}${regions.length > shown ? ` and ${regions.length - shown} more` : ''}`,
        ];
  const lines =
    since === null
      ? line('failing', behaviors.new)
      : (['new', 'persistent', 'gone', 'unseen'] as const).flatMap((status) => line(status, behaviors[status]));
  return [...(lines.length === 0 ? [`${head} none.`] : [head, ...lines]), ...behaviors.notes];
}

const regionWords = ({ region, status, before, now, low_support }: BehaviorSince): string => {
  const { n_graded, fail_rate } = status === 'gone' || status === 'unseen' ? before : now;
  return `${region} (${share(fail_rate)} of ${n_graded} failed${low_support ? ', few' : ''})`;
};

function leakLines(leakage: LeakageReport | undefined): string[] {
  if (!leakage) return [];
  const { n_leaky, n, threshold, max_similarity } = leakage;
  return [
    '',
    `Copies: ${n_leaky} of ${n} asks are at least ${threshold} like an ask of the traces; the closest is ${max_similarity.toFixed(3)}.`,
  ];
}
