import { randomStream } from '../../../stats/random.ts';
import { conjunctions } from './conjunctions.ts';
import { dealAnew, givenDeal } from './deal.ts';
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
 * @param features - in the order of their names
 * @source Westfall & Young 1993, max-T; Gao et al. 2022 (arXiv:2210.10760) for why within-task
 */
export function chanceFloor(features: readonly Ready[], graded: Graded, options: FloorOptions): number {
  const random = randomStream(options.seed);
  const deal = givenDeal(graded);
  const rhos = new Float64Array(features.length);
  const largest = new Float64Array(options.nPerm);
  for (let n = 0; n < options.nPerm; n++) {
    dealAnew(deal, random.below);
    let most = 0;
    for (let at = 0; at < features.length; at++) {
      rhos[at] = rho(features[at] as Ready, deal);
      most = Math.max(most, Math.abs(rhos[at] as number));
    }
    for (const joint of conjunctions({ features, rhos }, deal, options)) most = Math.max(most, Math.abs(joint.rho));
    largest[n] = most;
  }
  largest.sort();
  return largest[Math.max(0, Math.ceil((1 - options.alpha) * options.nPerm) - 1)] ?? 0;
}
