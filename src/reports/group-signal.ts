import { z } from 'zod';
import { type Fold, foldRows } from '../core/fold.ts';
import { isObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import { groupLabel } from '../rows/label.ts';
import { taskKey } from '../rows/task-key.ts';
import { passRates } from './pass-at/index.ts';

const options = z.strictObject({
  lo: z.number().min(0).max(1).default(0.2).describe('Lowest pass rate inside the band.'),
  hi: z.number().min(0).max(1).default(0.8).describe('Highest pass rate inside the band.'),
});

/** What the groups of a set can teach by comparison: only a group with both outcomes has a gradient. */
export interface GroupSignal {
  readonly n_groups: number;
  /** Groups of one judged rollout: they cannot be mixed. */
  readonly n_single: number;
  readonly n_mixed: number;
  readonly n_all_zero: number;
  readonly n_all_one: number;
  /** Mixed groups whose pass rate lies in the band. */
  readonly n_in_band: number;
  /** Mixed groups of those with two rollouts or more; null without one. */
  readonly mixed_rate: number | null;
  readonly k: number;
  readonly pass_at_1: number | null;
  readonly pass_pow_k: number | null;
  readonly pass_at_k: number | null;
  readonly headroom: number | null;
}

/**
 * Count the groups that carry a training signal: those whose rollouts disagree, and those of them inside the band.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source DAPO, arXiv 2503.14476; rlhfbook ch. 6
 */
export function groupSignal(rows: Iterable<unknown>, config: z.input<typeof options> = {}): GroupSignal {
  return foldRows(groupSignalFold(config), rows);
}

/** Judged rollouts of each task, and those that pass. */
interface Counts {
  readonly tasks: Map<string, { n: number; c: number }>;
}

function addTo({ tasks }: Counts, task: string, n: number, c: number): void {
  const count = tasks.get(task);
  if (!count) tasks.set(task, { n, c });
  else {
    count.n += n;
    count.c += c;
  }
}

/** `groupSignal` a row at a time. */
export function groupSignalFold(config: z.input<typeof options> = {}): Fold<unknown, Counts, GroupSignal> {
  const { lo, hi } = parseOptions('groupSignal', options, config);
  return {
    start: () => ({ tasks: new Map() }),
    add(counts, row) {
      const label = isObject(row) ? groupLabel(row) : undefined;
      if (isObject(row) && label !== undefined) addTo(counts, taskKey(row), 1, label);
    },
    merge(into, from) {
      for (const [task, { n, c }] of from.tasks) addTo(into, task, n, c);
    },
    end(state) {
      const { k, pass_at_1, pass_pow_k, pass_at_k, headroom } = passRates(state);
      const groups = [...state.tasks.values()].filter(({ n }) => n > 0);
      const several = groups.filter(({ n }) => n >= 2);
      const mixed = several.filter(({ n, c }) => c > 0 && c < n);
      return {
        n_groups: groups.length,
        n_single: groups.length - several.length,
        n_mixed: mixed.length,
        n_all_zero: several.filter(({ c }) => c === 0).length,
        n_all_one: several.filter(({ n, c }) => c === n).length,
        n_in_band: mixed.filter(({ n, c }) => c / n >= lo && c / n <= hi).length,
        mixed_rate: several.length === 0 ? null : mixed.length / several.length,
        k,
        pass_at_1,
        pass_pow_k,
        pass_at_k,
        headroom,
      };
    },
  };
}
