import { randomStream } from '../../../stats/random.ts';
import { conjunctions, type Scored } from './conjunctions.ts';
import type { Graded } from './graded.ts';
import { type Ready, rho } from './within.ts';

interface FloorOptions {
  readonly nPerm: number;
  readonly alpha: number;
  readonly seed: number;
  readonly seeds: number;
  readonly minObs: number;
}

/**
 * Find the correlation that pure chance reaches: shuffle the rewards within each task `nPerm` times, choose joint features
 * anew each time, and take the largest correlation of each; the floor is the (1 - alpha) quantile of these.
 *
 * @source Westfall & Young 1993, max-T; Gao et al. 2022 (arXiv:2210.10760) for why within-task
 */
export function chanceFloor(features: readonly Ready[], graded: Graded, options: FloorOptions): number {
  const random = randomStream(options.seed);
  const shuffled = graded.centred.slice();
  const largest = new Float64Array(options.nPerm);
  for (let n = 0; n < options.nPerm; n++) {
    shuffleWithin(shuffled, graded.starts, random.below);
    const scored: Scored[] = features.map((ready) => ({ ready, rho: rho(ready, shuffled, graded.spread) }));
    const joint = conjunctions(scored, shuffled, { graded, ...options });
    for (const one of [scored, joint])
      for (const { rho } of one) largest[n] = Math.max(largest[n] as number, Math.abs(rho));
  }
  largest.sort();
  return largest[Math.max(0, Math.ceil((1 - options.alpha) * options.nPerm) - 1)] ?? 0;
}

function shuffleWithin(values: Float64Array, starts: Int32Array, below: (end: number) => number): void {
  for (let g = 0; g + 1 < starts.length; g++) {
    const from = starts[g] as number;
    for (let left = (starts[g + 1] as number) - from; left > 1; left--) {
      const [one, other] = [from + left - 1, from + below(left)];
      const kept = values[one] as number;
      values[one] = values[other] as number;
      values[other] = kept;
    }
  }
}
