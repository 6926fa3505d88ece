import type { PassAt } from '../reports/pass-at/index.ts';
import type { Interval } from '../stats/wilson.ts';

/** A share for people: three digits, or a dash when it was not measured. */
export const share = (value: number | null): string => (value === null ? '-' : value.toFixed(3));

/** An interval for people. */
export const interval = (ci: Interval | null): string =>
  ci === null ? '-' : `[${ci[0].toFixed(3)}, ${ci[1].toFixed(3)}]`;

/** pass@1, pass^k and pass@k with their intervals, as the cells of one table row. */
export const passCells = (one: PassAt): readonly string[] => [
  String(one.n_rows),
  String(one.n_groups),
  share(one.pass_at_1),
  interval(one.ci95),
  String(one.k),
  share(one.pass_pow_k),
  interval(one.pass_pow_k_ci95),
  share(one.pass_at_k),
  interval(one.pass_at_k_ci95),
];

export const passHead = ['graded', 'tasks', 'pass@1', '95 %', 'k', 'pass^k', '95 %', 'pass@k', '95 %'] as const;

/** How many rows the figures rest on, where that is not all of them. */
export const unjudgedWords = ({ n_rows, n_rows_total }: PassAt): readonly string[] =>
  n_rows === n_rows_total
    ? []
    : [`${n_rows} of ${n_rows_total} rows are a pass or a failure; the others count in no figure.`];
