import type { JsonObject } from '../../core/json-object.ts';
import { round } from '../round.ts';
import { failsBelow, qualityDimensions, scoreRow } from './score-row.ts';

const bands = { '<0.50': [0, 0.5], '0.50-0.69': [0.5, 0.7], '0.70-0.84': [0.7, 0.85], '>=0.85': [0.85, 2] } as const;
const shown = 5;

/**
 * Report the conversation quality of a set, best and worst rows by their place in the input. Nothing is dropped.
 *
 * @source house rule
 */
export function rank(rows: readonly JsonObject[]) {
  const scored = rows.map((row, index) => ({ index, ...scoreRow(row) }));
  const ordered = scored.toSorted((a, b) => b.quality - a.quality || a.index - b.index);
  const values = scored.map(({ quality }) => quality).sort((a, b) => a - b);
  const share = (count: number) => (rows.length === 0 ? 0 : round(count / rows.length, 3));
  return {
    n: rows.length,
    mean: values.length === 0 ? null : round(values.reduce((sum, value) => sum + value, 0) / values.length, 3),
    median: values.length === 0 ? null : round(median(values), 3),
    min: values[0] ?? null,
    max: values.at(-1) ?? null,
    distribution: Object.fromEntries(
      Object.entries(bands).map(([name, [from, to]]) => [
        name,
        values.filter((value) => value >= from - 1e-9 && value < to - 1e-9).length,
      ]),
    ),
    fail_rates: Object.fromEntries(
      qualityDimensions.map((name) => [
        name,
        share(scored.filter(({ quality_scores }) => quality_scores[name] < failsBelow).length),
      ]),
    ),
    n_pass: values.filter((value) => value >= failsBelow).length,
    best: ordered.slice(0, shown),
    worst: ordered.toReversed().slice(0, shown),
  };
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
