import { existsSync } from 'node:fs';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import type { GateDecision } from '../../rows/decision.ts';
import { decisionsAbout, type FoundDecision } from '../../sources/decisions.ts';
import { withAdmin } from '../../sources/kafka-admin.ts';
import { decisionsInLetters } from '../../sources/letter-decisions.ts';
import { visible } from '../../text/visible.ts';
import { type BrokerFlags, brokerFlags, openBus } from '../brokers.ts';
import { defineCommand } from '../command.ts';
import { exits } from '../io.ts';
import { readRunConfig } from '../run-config.ts';

const options = z.strictObject({
  in: z.string().min(1).optional().describe('Folder to look in, with all below it. Default: out.'),
  prefix: z.string().min(1).optional().describe('Also look in the dead letters of the topics that begin with this.'),
  config: z.string().optional().describe('Config file; tracemill.yaml where it is there.'),
  json: z.boolean().default(false).describe('Write the decisions to stdout as JSON.'),
  ...brokerFlags,
});

export const whyCommand = defineCommand({
  name: 'why',
  args: '<row-id>',
  summary:
    'Tell why a row is in a set, or is not: its source, its situation, its judge, and every gate with its numbers.',
  options,
  examples: [
    'tracemill why 3f2a9c1b77de',
    'tracemill why 3f2a9c1b77de --in training --json',
    'tracemill why 3f2a9c1b77de --prefix evaluate --brokers localhost:9092',
  ],
  async run([rowId = ''], { in: named, json, ...flags }, io) {
    const letters = await inLetters(rowId, flags);
    const folder = named ?? 'out';
    const isOnTopicsOnly = letters !== undefined && named === undefined && !existsSync(folder);
    const found = [...(isOnTopicsOnly ? [] : await decisionsAbout(rowId, folder)), ...(letters ?? [])];
    if (found.length === 0)
      throw new TracemillError(
        'TM_SOURCE',
        `${rowId}: no decision about it in ${folder}${letters ? ' or among the dead letters' : ''}. A row is named by its rollout_id, or by scenario_id#rollout_index`,
      );
    if (json) io.out(`${stringifyJson({ row_id: rowId, decisions: found })}\n`);
    else for (const line of wordsFor(rowId, found)) io.out(`${visible(line)}\n`);
    return exits.done;
  },
});

/** What the dead letters of a pipeline say; undefined where no flag names one. */
async function inLetters(
  rowId: string,
  {
    prefix: named,
    config,
    ...flags
  }: BrokerFlags & { readonly prefix?: string | undefined; readonly config?: string | undefined },
): Promise<readonly FoundDecision[] | undefined> {
  if (named === undefined && flags.brokers === undefined) return undefined;
  const given = await readRunConfig(config, process.env);
  const prefix = named ?? given.config.prefix ?? given.config.pipeline;
  if (prefix === undefined)
    throw new TracemillError('TM_OPTIONS', 'why: the dead letters of which topics? Name a --prefix');
  const bus = await openBus(flags, given);
  const topics = await withAdmin(bus, (admin) => admin.listTopics());
  const letters = topics.filter((topic) => topic.startsWith(`${prefix}.`) && topic.endsWith('.dlq')).sort();
  if (letters.length === 0) throw new TracemillError('TM_OPTIONS', `why: there are no dead-letter topics of ${prefix}`);
  return decisionsInLetters(rowId, letters, () => ({ consumer: bus.consumer(), admin: bus.admin() }));
}

function wordsFor(rowId: string, found: readonly FoundDecision[]): readonly string[] {
  const { source, situation, judge, task } = (found[0] as FoundDecision).decision; // there is one
  return [
    `Row ${rowId} of task ${task}`,
    `  source     ${wordsOf(source)}`,
    `  situation  ${wordsOf(situation)}`,
    `  judge      ${judge === null ? 'nobody graded it' : wordsOf(judge)}`,
    ...found.flatMap(({ decision: { step, decision, by, reason, gates, file, line }, found_in }) => [
      decision === 'kept'
        ? `${step}: kept by ${by}${file === null ? '' : `, in ${file}${line ? ` from line ${line}` : ''}`}`
        : `${step}: left out by ${by}: ${reason ?? 'no reason'}`,
      ...gates.map(gateWords),
      `  (${found_in})`,
    ]),
  ];
}

const gateWords = ({ gate, passed, reason, numbers }: GateDecision): string =>
  `  ${passed ? 'passed' : 'no    '}  ${gate}${reason ? ` (${reason})` : ''}${numbers ? `: ${wordsOf(numbers)}` : ''}`;

/** Fields in one line; those that hold fields as JSON. */
function wordsOf(fields: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? stringifyJson(value) : String(value)}`);
  return words.join(', ') || 'not known';
}
