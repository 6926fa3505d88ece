import type { JsonObject } from '../core/json-object.ts';
import type { TimeBook } from '../rows/rollout-times.ts';

/** What happened to the rollouts of a run so far. */
export interface RolloutCounts {
  /** Times an agent was asked. */
  readonly calls: number;
  readonly rows: number;
  /** Asks played again after an unusable rollout. */
  readonly rerolled: number;
  readonly rerolled_by: Readonly<Record<string, number>>;
  /** Asks given up, by the reason of their last try. */
  readonly lost: number;
  readonly lost_by: Readonly<Record<string, number>>;
  readonly first_agent_error: string | null;
  /** Blocks of thought that were taken out of what agents said. */
  readonly user_think: { readonly closed: number; readonly unclosed: number };
  /** How conversations ended, where the agent said so. */
  readonly ended_by: Readonly<Record<string, number>>;
}

/** Counts the rollouts of a run, for its report. Memory: a few numbers. */
export interface RolloutWatch {
  /** Where the times of rollouts are taken down, if anybody wants to know. */
  readonly times?: TimeBook | undefined;
  asked(): void;
  unusable(reason: string, error: string | undefined, isLost: boolean): void;
  landed(row: JsonObject, thoughts: { readonly closed: number; readonly unclosed: number }): void;
  counts(): RolloutCounts;
}

/** Begin to count rollouts. */
export function rolloutWatch({ times }: Pick<RolloutWatch, 'times'> = {}): RolloutWatch {
  const tally = { calls: 0, rows: 0, closed: 0, unclosed: 0 };
  const [rerolled, lost, ended] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  let firstError: string | null = null;
  return {
    times,
    asked() {
      tally.calls++;
    },
    unusable(reason, error, isLost) {
      add(isLost ? lost : rerolled, reason);
      firstError ??= reason === 'agent_error' ? (error ?? null) : null;
    },
    landed({ ended_by }, { closed, unclosed }) {
      tally.rows++;
      tally.closed += closed;
      tally.unclosed += unclosed;
      if (typeof ended_by === 'string') add(ended, ended_by);
    },
    counts: () => ({
      calls: tally.calls,
      rows: tally.rows,
      rerolled: total(rerolled),
      rerolled_by: Object.fromEntries(rerolled),
      lost: total(lost),
      lost_by: Object.fromEntries(lost),
      first_agent_error: firstError,
      user_think: { closed: tally.closed, unclosed: tally.unclosed },
      ended_by: Object.fromEntries(ended),
    }),
  };
}

const add = (counts: Map<string, number>, word: string) => counts.set(word, (counts.get(word) ?? 0) + 1);
const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
