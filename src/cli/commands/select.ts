import { z } from 'zod';
import { stringifyJson } from '../../core/json.ts';
import { selectStages } from '../../pipelines/select.ts';
import type { RlReport } from '../../reports/select/rl-report.ts';
import { type SelectionRule, selectionGates } from '../../reports/select/selection-gates.ts';
import type { SftReport } from '../../reports/select/sft-report.ts';
import type { TaskRate } from '../../reports/select/task-rates.ts';
import { nextMeta } from '../../rows/run-meta.ts';
import { rowsSink } from '../../sinks/rows.ts';
import { writeRunMeta } from '../../sinks/run-meta.ts';
import { rowsSource } from '../../sources/rows.ts';
import { readRunMeta } from '../../sources/run-meta.ts';
import { defineCommand } from '../command.ts';
import { decider } from '../decisions.ts';
import { exits } from '../io.ts';
import { rejectionTable } from '../rejections.ts';
import { checkNotRead, isAllRejected, makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';

const options = z.strictObject({
  mode: z.enum(['rl', 'sft']).describe('What the rows are for.'),
  out: z.string().min(1).default('-').describe('File of selected rows to write; - is stdout.'),
  target: z
    .int()
    .min(0)
    .default(1000)
    .describe('Rows to select at most; in rl whole tasks, so the last may overshoot.'),
  lo: z.number().min(0).max(1).default(0.2).describe('rl: lowest pass rate of a task.'),
  hi: z.number().min(0).max(1).default(0.8).describe('rl: highest pass rate of a task.'),
  truncated: z
    .enum(['drop', 'keep', 'penalize'])
    .default('drop')
    .describe('rl: what becomes of rollouts that were cut off.'),
  minReward: z.number().default(1).describe('sft: lowest reward that is trained on.'),
  json: z.boolean().default(false).describe('Write the report to stdout as JSON; needs --out.'),
});

export const selectCommand = defineCommand({
  name: 'select',
  args: '<rows...>',
  summary: 'Keep the rows that train, and say of every other one why not.',
  options,
  examples: [
    'tracemill select out/graded.jsonl --mode rl --out out/selected.jsonl',
    'tracemill select out/graded.jsonl --mode sft --out out/selected.jsonl',
  ],
  async run(paths, { mode, out, json, target, lo, hi, truncated, minReward }, io) {
    await checkNotRead(paths, out);
    await makeFolderOf(out);
    const [first = ''] = paths;
    const before = await readRunMeta(first);
    let report: RlReport | SftReport | undefined;
    let rates: ReadonlyMap<string, TaskRate> = new Map();
    const rule: SelectionRule =
      mode === 'rl' ? { mode, options: { target, lo, hi, truncated } } : { mode, options: { target, minReward } };
    const decide = decider('select', out, (row, reason) => selectionGates(rule, rates)(row, reason));
    const sink = rowsSink({ path: out }, { stop: io.stop });
    const { counts, rejected, isStopped } = await runRows(io, {
      source: rowsSource({ paths: [...paths] }),
      stages: selectStages(rule, {
        told: (account) => {
          report = account.report;
          if (account.rates) rates = account.rates;
        },
      }),
      sinks: { selected: decide?.keeping(sink, `keep-for-${mode}`) ?? sink },
      left: decide?.left,
      rejected: rejectedBeside(out),
      words: (now) => `select: ${rowsOf(now, 'source', 'out')} rows read`,
    });
    if (isStopped) {
      io.say('Stopped: what was selected is of the rows read so far. Run it again.');
      return exits.stopped;
    }
    await decide?.log.finish(); // of a run that was stopped the decisions are not whole
    if (out !== '-') await writeRunMeta(out, nextMeta(before, 'select', { files: paths, ...rule }));
    if (json && out !== '-') io.out(`${stringifyJson({ ...report, rejected })}\n`);
    else {
      const kept = rowsOf(counts, `keep-for-${mode}`, 'out');
      const tasks = report && 'groups_selected' in report ? ` of ${report.groups_selected} tasks` : '';
      io.say(`Kept ${kept}${tasks} of ${rowsOf(counts, 'source', 'out')} rows.\n\n${rejectionTable(rejected)}`);
      for (const said of report ? warningsOf(report) : []) io.say(`Warning: ${said}`);
    }
    if (out !== '-' && rowsOf(counts, `keep-for-${mode}`, 'out') > 0)
      io.say(
        `\nRows: ${out}. Next: tracemill export ${out} --format trl --out ${out.replace(/\.jsonl$/, '')}.train.jsonl`,
      );
    return isAllRejected(counts) ? exits.worldFailed : exits.done;
  },
});

function warningsOf(report: RlReport | SftReport): readonly string[] {
  const { warnings, warning, hygiene_warnings } = report as { readonly [key: string]: unknown };
  return [warnings, warning, hygiene_warnings]
    .flat()
    .filter((said): said is string => typeof said === 'string' && said !== '');
}
