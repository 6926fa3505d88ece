import { onesAt, sharedOnes } from '../../../core/bit-set.ts';
import type { Feature } from './columns.ts';
import type { Deal } from './deal.ts';
import type { Graded } from './graded.ts';
import { type BitPlaces, overlap, setBits } from './task-bits.ts';

/** A feature made ready to be correlated with rewards within tasks, many times. */
export interface Ready {
  readonly feature: Feature;
  /** Population standard deviation within tasks. */
  readonly spread: number;
  /** The rows that have it, when it is a yes or no. */
  readonly bits: Int32Array | undefined;
  /** The places of their bits, when they are few. */
  readonly few: Int32Array | undefined;
  /** Passes among those rows if each passed as often as its task. */
  readonly expected: number;
}

/** Make a feature ready: its spread within tasks, and its rows as bits. */
export function ready(feature: Feature, graded: Graded): Ready {
  return feature.isBinary ? readyBits(feature, graded) : readyNumbers(feature, graded);
}

function readyBits(feature: Feature, { bits: places }: Graded): Ready {
  const bits = new Int32Array(places.words);
  setBits(bits, feature.values, places);
  const { within, beyond } = overlap(bits, bits, new Int32Array(places.words), places);
  const spread = spreadOf(within, feature.values.length);
  return { feature, spread, bits, few: fewPlaces(feature, places), expected: -beyond };
}

/** Where there are no more ones than words, they are counted one by one. */
function fewPlaces({ values, observed }: Feature, { places, words }: BitPlaces): Int32Array | undefined {
  if (observed > words) return undefined;
  const few = new Int32Array(observed);
  let count = 0;
  for (let row = 0; row < values.length; row++) if (values[row] !== 0) few[count++] = places[row] as number;
  return few;
}

function readyNumbers(feature: Feature, { starts }: Graded): Ready {
  const { values } = feature;
  let total = 0;
  for (let task = 0; task + 1 < starts.length; task++) {
    const [from, to] = [starts[task] as number, starts[task + 1] as number];
    let mean = 0;
    for (let at = from; at < to; at++) mean += (values[at] as number) / (to - from);
    for (let at = from; at < to; at++) total += ((values[at] as number) - mean) ** 2;
  }
  return { feature, spread: spreadOf(total, values.length), bits: undefined, few: undefined, expected: 0 };
}

const spreadOf = (squares: number, n: number): number => (n === 0 ? 0 : Math.sqrt(squares / n));

/** Correlate a feature with rewards within tasks: -1 to 1, and 0 where either does not vary. */
export function rho({ feature, spread, bits, few, expected }: Ready, { centred, passed, graded }: Deal): number {
  if (spread < 1e-12 || graded.spread < 1e-12) return 0;
  let sum: number;
  if (!bits || !graded.isPassFail) sum = dot(feature.values, centred);
  else sum = (few ? onesAt(passed, few) : sharedOnes(bits, passed, graded.bits.mixedWords)) - expected;
  return sum / (centred.length * spread * graded.spread);
}

function dot(values: Feature['values'], centred: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < centred.length; at++) sum += (values[at] as number) * (centred[at] as number);
  return sum;
}

/** Correlate two features with each other within tasks. */
export function rhoBetween(a: Ready, b: Ready, { starts, rows }: Graded): number {
  if (a.spread < 1e-12 || b.spread < 1e-12) return 0;
  const [x, y] = [a.feature.values, b.feature.values];
  let total = 0;
  for (let g = 0; g + 1 < starts.length; g++) {
    const [from, to] = [starts[g] as number, starts[g + 1] as number];
    let [sumX, sumY, sumXY] = [0, 0, 0];
    for (let at = from; at < to; at++) {
      sumX += x[at] as number;
      sumY += y[at] as number;
      sumXY += (x[at] as number) * (y[at] as number);
    }
    total += sumXY - (sumX * sumY) / (to - from);
  }
  return total / (rows.length * a.spread * b.spread);
}
