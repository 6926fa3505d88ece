import type { JsonObject } from '../../core/json-object.ts';
import { sha1Hex12 } from './training-samples.ts';

interface Group {
  k: number;
  n0: number;
  n1: number;
  graded: number;
  mean: number;
  /** Sum of squared distances from the mean. */
  spread: number;
}

/**
 * Count samples by task, to say on each of them which group it is of. One pass, one small record a task; no sample is kept.
 * When no task repeats there is no group and nothing is stamped.
 *
 * @source rlhfbook ch. 6 (group baselines); Welford 1962 for the running spread
 */
export function groupStamps() {
  const groups = new Map<string, Group>();
  let repeats = false;
  return {
    add(task: string, reward: number | undefined): void {
      if (task === '') return;
      const group = groups.get(task) ?? { k: 0, n0: 0, n1: 0, graded: 0, mean: 0, spread: 0 };
      groups.set(task, group);
      group.k++;
      if (group.k > 1) repeats = true;
      if (reward === undefined) return;
      if (reward < 0.5) group.n0++;
      if (reward > 0.5) group.n1++;
      group.graded++;
      const step = reward - group.mean;
      group.mean += step / group.graded;
      group.spread += step * (reward - group.mean);
    },
    /** Groups that will be stamped. */
    size: (): number => (repeats ? groups.size : 0),
    of(task: string): JsonObject {
      const group = repeats ? groups.get(task) : undefined;
      if (group === undefined) return {};
      const { k, n0, n1, graded, mean, spread } = group;
      return {
        group_id: sha1Hex12(task),
        k,
        n0,
        n1,
        reward_mean: graded === 0 ? null : mean,
        reward_std: graded === 0 ? null : Math.sqrt(spread / graded),
      };
    },
  };
}
