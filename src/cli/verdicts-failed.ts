import type { OperatorCounts } from '../core/counters.ts';
import { judgeStatuses } from '../rows/judgment.ts';

/** Say that every call of a judge failed, and how, where that is so: nothing may end as if all were well. */
export function verdictsFailed(counts: readonly OperatorCounts[]): string | undefined {
  const { out = 0, counts: said = {} } = counts.find(({ operator }) => operator === 'judge') ?? {};
  const failed = Object.entries(said).filter(
    ([what]) => what !== 'ok' && judgeStatuses.some((known) => known === what),
  );
  if (out === 0 || failed.reduce((sum, [, rows]) => sum + rows, 0) < out) return undefined;
  const how = failed.map(([status, rows]) => `${rows} ${status}`).join(', ');
  return `Not one row got a verdict (${how}): judge_meta of the rows says why.`;
}
