import { replyOf } from '../../../rows/reply.ts';
import type { Graded } from './graded.ts';

/** How much there is to learn from, by task. */
export function supportOf({ rows, rewards, starts }: Graded) {
  const sizes: number[] = [];
  const distinct: number[] = [];
  const counts = { sat: 0, dead: 0, mixed: 0, variance: 0, effective: 0 };
  for (let g = 0; g + 1 < starts.length; g++) {
    const [from, to] = [starts[g] as number, starts[g + 1] as number];
    const group = rewards.subarray(from, to);
    const isMixed = group.some((reward) => reward !== group[0]);
    if (group.every((reward) => reward >= 1)) counts.sat++;
    if (group.every((reward) => reward <= 0)) counts.dead++;
    if (isMixed) counts.mixed++;
    if (isMixed) counts.effective += group.length;
    counts.variance += varianceOf(group);
    if (group.length < 2) continue;
    sizes.push(group.length);
    distinct.push(distinctLooks(rows.slice(from, to)));
  }
  const n_groups = Math.max(0, starts.length - 1);
  const share = (count: number) => (n_groups === 0 ? 0 : count / n_groups);
  const alone = n_groups === 0 ? 0 : 1;
  return {
    n_groups,
    n_groups_multi: sizes.length,
    rollouts_per_group: upperMedian(sizes) ?? alone,
    effective_rollouts: counts.effective,
    support: {
      sat: share(counts.sat),
      dead: share(counts.dead),
      mixed: share(counts.mixed),
      capacity: share(counts.variance) / 0.25,
    },
    distinct_per_ask: upperMedian(distinct) ?? alone,
  };
}

/** Replies that all differ in their words need no other look. */
function distinctLooks(rows: Graded['rows']): number {
  const said = new Set(rows.map((row) => replyOf(row).said)).size;
  return said === rows.length ? said : new Set(rows.map(lookOf)).size;
}

/** What tells rollouts of one task apart: their words and their calls. */
function lookOf(row: Graded['rows'][number]): string {
  const { said, calls, turns } = replyOf(row);
  return `${turns.length} ${JSON.stringify(calls.map(({ tool }) => tool))} ${said}`;
}

function varianceOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}

const upperMedian = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
