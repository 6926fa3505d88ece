import { onesAt, sharedOnes } from '../../../core/bit-set.ts';
import type { Feature } from './columns.ts';
import type { Deal } from './deal.ts';
import { overlap } from './task-bits.ts';
import type { Ready } from './within.ts';

/** Features with their correlations under some rewards. */
export interface Scores {
  /** In the order of their names: of two that correlate alike the first is taken. */
  readonly features: readonly Ready[];
  readonly rhos: Float64Array;
}

interface Search {
  readonly seeds: number;
  readonly minObs: number;
}

const rounding = 1e-12; // of sums: a pair that says as much as one of its parents says no more

/** Two features at once, under some rewards. Its column is made only when it is reported. */
export interface Joint {
  readonly parents: readonly [Feature, Feature];
  readonly observed: number;
  readonly rho: number;
}

/**
 * Join the binary features that correlate most, two by two, under the given rewards, and keep the joint ones that hold
 * enough rows, are narrower than both parents and correlate more than both. The floor repeats this choice inside every
 * shuffle: chosen on the real rewards only, joint features of pure noise would pass it.
 */
export function conjunctions(scores: Scores, deal: Deal, { seeds, minObs }: Search): readonly Joint[] {
  const top = strongest(scores, seeds);
  const found: Joint[] = [];
  for (const [n, a] of top.entries())
    for (const b of top.slice(n + 1)) {
      const observed = sharedRows(a, b);
      const isNarrower = observed >= minObs && observed < Math.min(a.feature.observed, b.feature.observed);
      const rho = isNarrower ? rhoOfBoth(a.bits, b.bits, deal) : 0;
      if (Math.abs(rho) > Math.max(a.strength, b.strength) + rounding)
        found.push({ parents: [a.feature, b.feature], observed, rho });
    }
  return found;
}

interface Seed extends Pick<Ready, 'feature' | 'few'> {
  readonly bits: Int32Array;
  readonly strength: number;
}

/** The binary features that correlate most, strongest first. */
function strongest({ features, rhos }: Scores, count: number): readonly Seed[] {
  const top: Seed[] = [];
  for (const [at, { feature, bits, few }] of features.entries()) {
    if (!bits) continue;
    const strength = Math.abs(rhos[at] as number);
    if (top.length === count && strength <= (top.at(-1)?.strength ?? Number.POSITIVE_INFINITY)) continue;
    const place = top.findIndex((one) => strength > one.strength);
    top.splice(place < 0 ? top.length : place, 0, { feature, bits, few, strength });
    if (top.length > count) top.pop();
  }
  return top;
}

function sharedRows(a: Seed, b: Seed): number {
  if (a.few) return onesAt(b.bits, a.few);
  return b.few ? onesAt(a.bits, b.few) : sharedOnes(a.bits, b.bits);
}

/** Correlate two binary features at once without making their column. */
function rhoOfBoth(a: Int32Array, b: Int32Array, { centred, passed, graded }: Deal): number {
  const { within, beyond } = overlap(a, b, passed, graded.bits);
  if (within < 1e-12) return 0;
  const sum = graded.isPassFail ? beyond : sumOfBoth(a, b, centred, graded.bits.places);
  return sum / (centred.length * Math.sqrt(within / centred.length) * graded.spread);
}

function sumOfBoth(a: Int32Array, b: Int32Array, values: Float64Array, places: Int32Array): number {
  let sum = 0;
  for (let row = 0; row < values.length; row++) {
    const place = places[row] as number;
    const word = (a[place >>> 5] as number) & (b[place >>> 5] as number);
    if ((word >>> (place & 31)) & 1) sum += values[row] as number;
  }
  return sum;
}

/** Make the column of a joint feature, to be ranked and reported with the others. */
export function asFeature({ parents: [a, b], observed }: Joint): Feature {
  const values = new Uint8Array(a.values.length);
  for (let at = 0; at < values.length; at++) values[at] = a.values[at] !== 0 && b.values[at] !== 0 ? 1 : 0;
  const name = [a.name, b.name].sort().join(' & ');
  return { name, values, isBinary: true, observed, aliases: [], parents: [a, b] };
}
