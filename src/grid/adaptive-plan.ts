import { TracemillError } from '../core/errors.ts';
import { roundHalfEven } from './round-half-even.ts';

/** How long a run goes on: until its budget or clock is spent, or until the space is seen. */
export type Until = 'compute' | 'saturation';

/**
 * Read the word that says when a run ends; nothing means compute.
 *
 * @throws TM_OPTIONS - no known word
 */
export function untilOf(word: string | null | undefined): Until {
  const said = (word ?? '').trim().toLowerCase();
  if (['', 'compute', 'budget_only', 'budget', 'time'].includes(said)) return 'compute';
  if (['saturation', 'first'].includes(said)) return 'saturation';
  throw new TracemillError(
    'TM_OPTIONS',
    `until: ${String(word)} is neither compute (budget, budget_only, time) nor saturation (first)`,
  );
}

/** Shares of a batch for new situations, new wordings of known ones, and repeats; they add up to 1. */
export interface AdaptivePlan {
  readonly explore: number;
  readonly expand: number;
  readonly verify: number;
  readonly n_req: number;
  readonly k: number;
  readonly until: Until;
  /** The whole clock, in s. */
  readonly seconds: number;
  /** What is left of it, in s. */
  readonly remaining: number;
}

const usualSeconds = 600;

/**
 * Plan how a batch is shared when the clock decides: much time explores, little time confirms what is known.
 *
 * @source house rule
 */
export function adaptivePlan(options: {
  readonly timeBudget?: number | null | undefined;
  readonly elapsed?: number | undefined;
  readonly until?: string | null | undefined;
}): AdaptivePlan {
  const until = untilOf(options.until);
  const timed = options.timeBudget !== undefined && options.timeBudget !== null && options.timeBudget > 0;
  const seconds = timed ? (options.timeBudget ?? usualSeconds) : usualSeconds;
  const remaining = Math.max(0, seconds - (options.elapsed ?? 0));
  const clock = until === 'saturation' ? Math.max(remaining, 120) : remaining;
  const explore = 0.3 + 0.5 * Math.min(1, Math.max(0, (clock - 15) / 165));
  return {
    explore,
    expand: 0.55 * (1 - explore),
    verify: 0.45 * (1 - explore),
    n_req: 3,
    k: seconds < 90 && until === 'compute' ? 2 : 3,
    until,
    seconds,
    remaining,
  };
}

export interface SlotCounts {
  readonly explore: number;
  readonly expand: number;
  readonly verify: number;
}

/** Cut a batch of `take` into whole slots by the plan; without a plan every slot explores. */
export function allocatorSlotCounts(take: number, plan: Pick<AdaptivePlan, 'expand' | 'verify'> | null): SlotCounts {
  if (plan === null) return { explore: take, expand: 0, verify: 0 };
  const asked = roundHalfEven(take * (plan.expand + plan.verify));
  const known = take >= 2 ? Math.min(take - 1, Math.max(1, asked)) : Math.min(take, asked);
  const verify = known >= 2 ? Math.max(1, roundHalfEven(known * 0.45)) : roundHalfEven(known * 0.45);
  return { explore: take - known, expand: known - verify, verify };
}
