import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';

/** Pass rates worth training on, both ends included. One default for the whole product. */
export const defaultBand = { lo: 0.2, hi: 0.8 } as const; // rlhfbook ch. 7, offline difficulty filtering

export interface Band {
  readonly lo: number;
  readonly hi: number;
}

/** Options of everything that reads a band: spread them into its own. */
export const bandOptions = {
  lo: z.number().min(0).max(1).default(defaultBand.lo).describe('Lowest pass rate of a task that is kept, inclusive.'),
  hi: z.number().min(0).max(1).default(defaultBand.hi).describe('Highest pass rate of a task that is kept, inclusive.'),
};

/**
 * Refuse a band that is upside down.
 *
 * @throws TM_OPTIONS - `lo` is above `hi`, or equal to it where `strictly` is set
 */
export function checkBand(by: string, { lo, hi }: Band, strictly = false): void {
  if (lo < hi || (lo === hi && !strictly)) return;
  throw new TracemillError('TM_OPTIONS', `${by}: lo ${lo} must be below hi ${hi}`);
}

/** Say on which side of the band a rate lies, undefined inside. */
export function outOfBand(rate: number, { lo, hi }: Band): 'too_easy' | 'too_hard' | undefined {
  if (rate > hi) return 'too_easy';
  return rate < lo ? 'too_hard' : undefined;
}
