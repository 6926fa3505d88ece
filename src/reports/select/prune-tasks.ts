import type { JsonObject } from '../../core/json-object.ts';
import { type Band, outOfBand } from './band.ts';
import type { TaskGroup } from './order-tasks.ts';
import { byTask, taskRates } from './task-rates.ts';

interface Tasks<R> {
  /** After the row gates. */
  readonly gated: readonly R[];
  /** The same without what the truncation policy drops: what pass rates are measured on, repeats included. */
  readonly rated: readonly R[];
  /** What is left after repeats and cut-off rollouts went. */
  readonly rows: readonly R[];
  /** Rollouts that only ride along with their group. */
  readonly hasVote: (row: R) => boolean;
  readonly band: Band;
  readonly enforceBand: boolean;
}

/** Why a whole task goes. */
export type PruneReason = 'always_solved' | 'never_solved' | 'collapsed' | 'too_easy' | 'too_hard' | 'truncated';

/**
 * Drop tasks that teach nothing: those whose rollouts agree, those that repeats and cuts left without contrast, and those
 * outside the band. Agreement is read on what is left; the band on the graded rate before repeats went, which dedupe must
 * not move. A task that always had one rollout stays. Rollouts without a vote come last in their group.
 */
export function pruneTasks<R extends JsonObject>({ gated, rated, rows, hasVote, band, enforceBand }: Tasks<R>) {
  const sizes = byTask(gated);
  const rates = taskRates(rated.filter(hasVote));
  const votes = taskRates(rows.filter(hasVote));
  const dropped = new Map<string, PruneReason>();
  const groups: TaskGroup<R>[] = [];
  const unanimous = { always_solved: 0, never_solved: 0 };
  for (const [task, group] of byTask(rows)) {
    const vote = votes.get(task);
    const rate = rates.get(task);
    const agrees = vote !== undefined && (vote.rate === 0 || vote.rate === 1);
    const side = rate && rate.n >= 2 && rate.rate > 0 && rate.rate < 1 ? outOfBand(rate.rate, band) : undefined;
    if (vote === undefined) dropped.set(task, 'truncated');
    else if (agrees && vote.n >= 2) {
      const side = vote.rate === 1 ? 'always_solved' : 'never_solved';
      dropped.set(task, side);
      unanimous[side]++;
    } else if (agrees && (sizes.get(task)?.length ?? 0) >= 2) dropped.set(task, 'collapsed');
    else if (enforceBand && side) dropped.set(task, side);
    else
      groups.push({
        task,
        rate: rate?.rate,
        rows: [...group.filter(hasVote), ...group.filter((row) => !hasVote(row))],
      });
  }
  /** What each task was judged by: its graded rollouts after the row gates. */
  return { groups, dropped, unanimous, rates };
}

export type Pruned<R extends JsonObject> = ReturnType<typeof pruneTasks<R>>;
