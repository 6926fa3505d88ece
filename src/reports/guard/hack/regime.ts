import type { HackFeature } from './hack-feature.ts';

/** What a training run on these rewards would do. */
export type HackRegime = 'unknown' | 'degenerate' | 'no_signal' | 'reward_hack' | 'pool_exhausted' | 'train';

interface Evidence {
  /** There are features, and tasks whose rewards differ. */
  readonly isTestable: boolean;
  readonly isUnmatched: boolean;
  readonly isDegenerate: boolean;
  readonly top: HackFeature | undefined;
  readonly isAsked: boolean;
  /** Share of tasks that are always solved. */
  readonly sat: number;
}
const exhausted = 0.2; // share of tasks; house rule

/** Name the regime: the first that holds. */
export function regimeOf({ isTestable, isUnmatched, isDegenerate, top, isAsked, sat }: Evidence): HackRegime {
  if (!isTestable || isUnmatched) return 'unknown';
  if (isDegenerate) return 'degenerate';
  if (!top?.above_floor) return 'no_signal';
  if (isAsked && !(top.endorsed && top.rho > 0)) return 'reward_hack';
  return sat > exhausted ? 'pool_exhausted' : 'train';
}
