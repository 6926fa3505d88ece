import { z } from 'zod';
import { type Accumulator, accumulate, foldBy } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { contentsFold } from '../../reports/contents.ts';
import { taskRatesFold } from '../../reports/curriculum/curriculum.ts';
import { htmlPage } from '../../reports/html/page.ts';
import { passSections } from '../../reports/html/pass-page.ts';
import { type PassAt, passAtFold } from '../../reports/pass-at/index.ts';
import { groupValue } from '../../rows/group-value.ts';
import type { Row } from '../../rows/row.ts';
import { rowsSource } from '../../sources/rows.ts';
import { visible } from '../../text/visible.ts';
import { defineCommand } from '../command.ts';
import { passCells, passHead } from '../figures.ts';
import { exits } from '../io.ts';
import { rejectionTable } from '../rejections.ts';
import { isAllRejected, readRows, rowsOf } from '../run-rows.ts';
import { table } from '../table.ts';
import { htmlFlag, writePage } from '../write-page.ts';

const options = z.strictObject({
  k: z.int().min(1).optional().describe('Rollouts drawn for pass@k and pass^k; the smallest group by default.'),
  minK: z.int().min(1).default(4).describe('Under this k the k-way numbers are withheld.'),
  by: z
    .string()
    .optional()
    .describe(
      'Also report each value of this: a field of the rows such as source_file, else of their cell, else a marker.',
    ),
  json: z.boolean().default(false).describe('Write the report to stdout as JSON.'),
  html: z.string().min(1).optional().describe(htmlFlag),
});

export const reportCommand = defineCommand({
  name: 'report',
  args: '<rows...>',
  summary: 'Measure graded rows: pass@1, pass^k and pass@k with 95 % intervals over tasks.',
  options,
  examples: ['tracemill report out/rows.jsonl', 'tracemill report out/rows.jsonl --by source_file --json'],
  async run(paths, { by, json, html, ...config }, io) {
    const fold = passAtFold(config);
    const all = accumulate(fold);
    const rates = accumulate(taskRatesFold);
    const held = accumulate(contentsFold);
    const groups =
      by === undefined ? undefined : accumulate(foldBy(fold, (row: unknown) => groupValue(row as Row, by)));
    const { counts, rejected, isStopped } = await readRows(io, {
      source: rowsSource({ paths: [...paths] }),
      each(row: Row) {
        for (const one of [all, held, groups, rates] as readonly (Accumulator<Row, unknown, unknown> | undefined)[])
          one?.add(row);
      },
      words: (now) => `report: ${rowsOf(now, 'source', 'out')} rows`,
    });
    const parts = groups ? Object.fromEntries(groups.end()) : undefined;
    const whole = all.end();
    await writePage(html, () => htmlPage('Pass rates', '', passSections(whole, rates.end(), parts)));
    if (json) io.out(`${stringifyJson({ ...whole, contents: held.end(), ...(parts && { by: parts }), rejected })}\n`);
    else io.out(`${visible(words(whole, by, parts))}\n\n${rejectionTable(rejected)}\n`);
    if (isStopped) return exits.stopped;
    return isAllRejected(counts) ? exits.worldFailed : exits.done;
  },
});

function words(whole: PassAt, by: string | undefined, parts: Readonly<Record<string, PassAt>> | undefined): string {
  const rows = [...Object.entries(parts ?? {}), ['all', whole] as const].map(([name, one]) => [
    name,
    ...passCells(one),
  ]);
  const notes = [...whole.warnings.map((said) => `Warning: ${said}`), ...whole.notes];
  const used =
    whole.n_rows === whole.n_rows_total
      ? ''
      : `\n${whole.n_rows} of ${whole.n_rows_total} rows are a pass or a failure.`;
  return [table([by ?? '', ...passHead], rows), used, ...notes].filter((line) => line !== '').join('\n');
}
