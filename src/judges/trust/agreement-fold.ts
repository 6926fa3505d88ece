import { type Fold, inOrder } from '../../core/fold.ts';
import { isObject } from '../../core/json-object.ts';
import type { Row } from '../../rows/row.ts';
import { taskKey } from '../../rows/task-key.ts';
import { clusterWilson } from '../../stats/cluster-wilson.ts';
import { cohenKappa, gwetAc1, observedAgreement } from '../../stats/rater-agreement.ts';
import type { Interval } from '../../stats/wilson.ts';
import { four } from '../rounding.ts';
import { exactLabel, isTrusted, kindOf } from './gold.ts';

/** Agreement of one judge with gold labels. Shares have 4 digits. */
export interface Agreement {
  readonly n: number;
  readonly n_tasks: number;
  /** Labelled rows without a verdict of 0 or 1: in no figure. */
  readonly n_skipped: number;
  readonly agreement: number | null;
  /** Over tasks; null under 3 tasks. */
  readonly ci95: Interval | null;
  readonly kappa: number | null;
  readonly ac1: number | null;
  readonly confusion: { readonly tp: number; readonly fp: number; readonly fn: number; readonly tn: number };
}

interface State {
  readonly confusion: { tp: number; fp: number; fn: number; tn: number };
  readonly tasks: Map<string, { same: number; n: number }>;
  skipped: number;
}

/**
 * `judgeAgreement` a row at a time and mergeable: the verdicts of rows against the gold that people or programs gave them.
 * Memory: two numbers a labelled task.
 *
 * @source Cohen 1960; Gwet 2008; Korn & Graubard 1998 (tasks as clusters)
 */
export const agreementFold: Fold<unknown, State, Agreement> = {
  start: () => ({ confusion: { tp: 0, fp: 0, fn: 0, tn: 0 }, tasks: new Map(), skipped: 0 }),
  add(state, row) {
    if (!isObject(row)) return;
    const gold = exactLabel(row['gold_reward']);
    if (gold === undefined || !isTrusted(kindOf(row['gold_kind']))) return;
    const judged = exactLabel(row['reward']);
    if (judged === undefined) {
      state.skipped++;
      return;
    }
    state.confusion[judged === 1 ? (gold === 1 ? 'tp' : 'fp') : gold === 1 ? 'fn' : 'tn']++;
    takeTask(state, taskKey(row as Row), judged === gold ? 1 : 0, 1);
  },
  merge(into, from) {
    for (const cell of ['tp', 'fp', 'fn', 'tn'] as const) into.confusion[cell] += from.confusion[cell];
    for (const [task, { same, n }] of from.tasks) takeTask(into, task, same, n);
    into.skipped += from.skipped;
  },
  end({ confusion, tasks, skipped }) {
    const n = confusion.tp + confusion.fp + confusion.fn + confusion.tn;
    const means = inOrder(tasks).map(([, task]) => task.same / task.n);
    return {
      n,
      n_tasks: tasks.size,
      n_skipped: skipped,
      agreement: short(observedAgreement(confusion)),
      ci95: clusterWilson(means, n),
      kappa: short(cohenKappa(confusion)),
      ac1: short(gwetAc1(confusion)),
      confusion: { ...confusion },
    };
  },
};

function takeTask({ tasks }: State, key: string, same: number, n: number): void {
  const task = tasks.get(key) ?? { same: 0, n: 0 };
  tasks.set(key, { same: task.same + same, n: task.n + n });
}

const short = (value: number | null) => (value === null ? null : four(value));
