import type { Rejection } from '../../core/operator.ts';

/** What a selection answers: the rows it keeps, why each other row is not among them, and its report. */
export interface Account<R, Report> {
  readonly kept: readonly R[];
  /** One for each row that is not kept: rows in = kept + rejected. */
  readonly rejected: readonly Rejection<R>[];
  readonly report: Report;
}

/** Split rows by the reason a rule gives; undefined keeps a row. Both sides stay in the order of the input. */
export function split<R>(rows: readonly R[], by: string, reasonOf: (row: R, index: number) => string | undefined) {
  const kept: R[] = [];
  const rejected: Rejection<R>[] = [];
  rows.forEach((row, index) => {
    const reason = reasonOf(row, index);
    if (reason === undefined) kept.push(row);
    else rejected.push({ row, by, reason });
  });
  return { kept, rejected };
}
