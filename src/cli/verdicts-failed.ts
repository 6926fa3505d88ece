import type { OperatorCounts } from '../core/counters.ts';
import { judgeStatuses } from '../rows/judgment.ts';

/** Say that every call of a judge failed, and how, where that is so: nothing may end as if all were well. */
export function verdictsFailed(counts: readonly OperatorCounts[]): string | undefined {
  const judges = counts.filter(({ operator }) => operator === 'judge'); // one in each process
  const out = sum(judges.map((one) => one.out));
  const failed = judgeStatuses
    .filter((status) => status !== 'ok')
    .map((status) => ({ status, rows: sum(judges.map(({ counts: said }) => said[status] ?? 0)) }))
    .filter(({ rows }) => rows > 0);
  if (out === 0 || sum(failed.map(({ rows }) => rows)) < out) return undefined;
  const how = failed.map(({ status, rows }) => `${rows} ${status}`).join(', ');
  return `Not one row got a verdict (${how}): judge_meta of the rows says why.`;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
