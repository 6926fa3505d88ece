import { sharedOnes } from '../../../core/bit-set.ts';
import { pearson } from '../../../stats/pearson.ts';
import type { Graded } from './graded.ts';
import { setBits } from './task-bits.ts';
import type { Ready } from './within.ts';

/** Correlate features with the rewards over all rows: difficulty is mixed in. Null as `pearson` is; counted where both are 0 or 1. */
export function pooledWith({ rewards, bits: places, isPassFail }: Graded): (feature: Ready) => number | null {
  const passed = new Int32Array(places.words);
  setBits(passed, rewards, places);
  const n = rewards.length;
  const passes = rewards.reduce((sum, reward) => sum + reward, 0);
  return ({ feature, bits }) => {
    if (!bits || !isPassFail || n < 3) return pearson(feature.values, rewards);
    const ones = feature.observed;
    const spread = Math.sqrt((ones - (ones * ones) / n) * (passes - (passes * passes) / n));
    const together = sharedOnes(bits, passed) - (ones * passes) / n;
    return spread > 1e-12 ? Math.max(-1, Math.min(1, together / spread)) : null;
  };
}
