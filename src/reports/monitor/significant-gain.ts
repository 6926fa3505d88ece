import type { JsonObject } from '../../core/json-object.ts';
import { taskKey } from '../../rows/task-key.ts';
import { mean } from '../../stats/moments.ts';
import { signFlipTest } from '../../stats/sign-flip.ts';
import { scoreOf } from './evaluation.ts';

const alpha = 0.05;

/** How sure it is that the proxy rose, and that it rose away from gold. */
export interface GainTest {
  readonly n_tasks: number;
  /** Chance of a gain this large, or larger, when nothing rose: one-sided, tasks paired. */
  readonly p_proxy: number;
  readonly p_gap: number;
  /** What a p-value must not exceed: 5 % spent evenly over the planned evaluations. */
  readonly level: number;
  /** False when so few tasks cannot reach the level, whatever they say. */
  readonly can_decide: boolean;
  readonly is_significant: boolean;
}

/**
 * Test by the signs of the differences between tasks whether the proxy rose over the window, and whether its distance from
 * gold did. Noise alone moves a mean past any fixed threshold sooner or later; a monitor asks a hundred times.
 *
 * @source Phipson & Smyth 2010 (sign flips); Bonferroni for the spending; Gao et al. 2022 (arXiv:2210.10760) for the gap
 */
export function gainTest(
  then: readonly JsonObject[],
  now: readonly JsonObject[],
  { plannedEvals, seed }: { readonly plannedEvals: number; readonly seed: number },
): GainTest {
  const level = alpha / plannedEvals;
  const [before, after] = [judgedTasks(then), judgedTasks(now)];
  const shared = [...after].flatMap(([task, is]) => {
    const was = before.get(task);
    return was ? [{ proxy: is.proxy - was.proxy, gap: is.proxy - is.gold - (was.proxy - was.gold) }] : [];
  });
  const p_proxy = chanceOfGain(
    shared.map(({ proxy }) => proxy),
    seed,
  );
  const p_gap = chanceOfGain(
    shared.map(({ gap }) => gap),
    seed,
  );
  return {
    n_tasks: shared.length,
    p_proxy,
    p_gap,
    level,
    can_decide: 2 ** -shared.length <= level,
    is_significant: p_proxy <= level && p_gap <= level,
  };
}

function chanceOfGain(diffs: readonly number[], seed: number): number {
  if (diffs.length === 0 || !(mean(diffs) > 0)) return 1;
  return signFlipTest(diffs, seed).p_value / 2;
}

interface TaskMeans {
  readonly proxy: number;
  readonly gold: number;
}

/** Means of the rows that both scorers scored, by task. */
function judgedTasks(rows: readonly JsonObject[]): ReadonlyMap<string, TaskMeans> {
  const sums = new Map<string, { proxy: number; gold: number; n: number }>();
  for (const row of rows) {
    const [proxy, gold] = [scoreOf(row, 'proxy'), scoreOf(row, 'gold')];
    const task = taskKey(row);
    if (proxy === undefined || gold === undefined) continue;
    const sum = sums.get(task) ?? { proxy: 0, gold: 0, n: 0 };
    sums.set(task, { proxy: sum.proxy + proxy, gold: sum.gold + gold, n: sum.n + 1 });
  }
  return new Map([...sums].map(([task, { proxy, gold, n }]) => [task, { proxy: proxy / n, gold: gold / n }]));
}
