import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { replyOf } from '../../rows/reply.ts';
import { taskKey } from '../../rows/task-key.ts';
import { isTruncated } from '../select/is-truncated.ts';

const options = z.strictObject({
  maxSpread: z.number().min(1).default(4).describe('Longest reply over median reply of a task from which it is wide.'),
});

/**
 * Report how long replies are, how many were cut off, and in how many tasks one reply is far longer than the others.
 * Lengths are characters of what the agent said.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 14, length as a reward shortcut
 */
export function lengthReport(rows: readonly JsonObject[], given: z.input<typeof options> = {}) {
  const { maxSpread } = parseOptions('lengthReport', options, given);
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const task = taskKey(row);
    const { length } = replyOf(row);
    const lengths = groups.get(task);
    if (lengths) lengths.push(length);
    else groups.set(task, [length]);
  }
  const multi = [...groups.values()].filter((lengths) => lengths.length >= 2);
  const all = [...groups.values()].flat();
  return {
    n: rows.length,
    median_chars: median(all),
    max_chars: largest(all),
    n_truncated: rows.filter(isTruncated).length,
    n_groups_multi: multi.length,
    n_groups_wide_spread: multi.filter((lengths) => largest(lengths) > maxSpread * Math.max(1, median(lengths))).length,
    max_spread: maxSpread,
  };
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length / 2;
  if (sorted.length === 0) return 0;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);
