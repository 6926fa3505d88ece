import { z } from 'zod';
import { accumulate } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { taskRatesFold } from '../../reports/curriculum/curriculum.ts';
import { type Dated, type DeltaReport, deltaFold } from '../../reports/delta/index.ts';
import { changeWords, deltaPage, headlineOf } from '../../reports/html/delta-page.ts';
import type { Row } from '../../rows/row.ts';
import { rowsSource } from '../../sources/rows.ts';
import { visible } from '../../text/visible.ts';
import { defineCommand } from '../command.ts';
import { interval, share } from '../figures.ts';
import { exits } from '../io.ts';
import { rejectionTable } from '../rejections.ts';
import { isAllRejected, readRows, rowsOf } from '../run-rows.ts';
import { table } from '../table.ts';
import { htmlFlag, writePage } from '../write-page.ts';

const options = z.strictObject({
  target: z.string().optional().describe('The metric the change was made for: pass_at_1, or the name of a marker.'),
  mustNotRegress: z
    .array(z.string())
    .default([])
    .describe('Guards: metrics that must not fall. One that is not measured on both sides fails the gate.'),
  markers: z.array(z.string()).optional().describe('Markers to compare; all that occur on both sides without it.'),
  by: z
    .string()
    .optional()
    .describe('Also compare each value of this: a field of the rows, else of their cell, else a marker.'),
  proxy: z.string().optional().describe('The metric that was trained on, to see whether it left the target behind.'),
  runStd: z.number().min(0).optional().describe('Known standard deviation between runs of one policy.'),
  promptIsTheChange: z.boolean().default(false).describe('The system prompt is what was changed.'),
  gate: z
    .boolean()
    .default(false)
    .describe('Exit with 1 when the change may not pass. Guards are tested together then (Holm).'),
  json: z.boolean().default(false).describe('Write the report to stdout as JSON.'),
  html: z.string().min(1).optional().describe(htmlFlag),
});

export const compareCommand = defineCommand({
  name: 'compare',
  args: '<before> <after>',
  summary: 'Say what a change did to every metric, task by task, and whether a gate may let it pass.',
  options,
  examples: [
    'tracemill compare out/before.jsonl out/after.jsonl --target pass_at_1 --gate',
    'tracemill compare out/before.jsonl out/after.jsonl --must-not-regress polite --by tool --html out/compare.html',
  ],
  async run(files, { gate, json, html, ...given }, io) {
    const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const report = accumulate(deltaFold({ ...chosen, ...(gate && { guardCorrection: 'holm' as const }) }));
    const rates = { before: accumulate(taskRatesFold), after: accumulate(taskRatesFold) };
    for (const [n, side] of (['before', 'after'] as const).entries()) {
      const { counts, rejected, isStopped } = await readRows(io, {
        source: rowsSource({ paths: [files[n] ?? ''] }),
        each(row: Row) {
          report.add({ side, row } satisfies Dated);
          rates[side].add(row);
        },
        words: (now) => `compare: ${rowsOf(now, 'source', 'out')} rows of ${side}`,
      });
      if (isStopped) return exits.stopped;
      if (rejected.length > 0) io.say(rejectionTable(rejected));
      if (isAllRejected(counts)) return exits.worldFailed;
    }
    const delta = report.end();
    await writePage(html, () => deltaPage(delta, rates.before.end(), rates.after.end()));
    io.out(json ? `${stringifyJson(delta)}\n` : `${visible(words(delta))}\n`);
    return gate && !delta.ok ? exits.gateSaidNo : exits.done;
  },
});

function words(delta: DeltaReport): string {
  const line = (name: string, one: DeltaReport['metrics'][string]) => [
    name,
    one.guarded ? 'guard' : '',
    share(one.mean_a),
    share(one.mean_b),
    share(one.delta),
    interval(one.ci95),
    share(one.p_value_mid),
    String(one.n_paired),
    changeWords[one.verdict],
  ];
  const head = ['metric', '', 'before', 'after', 'change', '95 %', 'p', 'tasks', 'verdict'];
  const groups = Object.entries(delta.groups).map(([group, one]) => [
    group,
    share(one.delta),
    interval(one.ci95),
    changeWords[one.verdict],
  ]);
  return [
    table(
      head,
      Object.entries(delta.metrics).map(([name, one]) => line(name, one)),
    ),
    ...(groups.length > 0 ? ['', table([delta.by ?? 'group', 'change', '95 %', 'verdict'], groups)] : []),
    '',
    ...delta.warnings.map((said) => `Warning: ${said}`),
    headlineOf(delta),
  ].join('\n');
}
