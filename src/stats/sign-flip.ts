import { commonScale } from './common-scale.ts';
import { randomStream } from './random.ts';

/** How surprising differences are when their signs are chance. */
export interface SignFlip {
  /** P(|S| >= |observed|), two-sided. Never 0. */
  readonly p_value: number;
  /** P(|S| > |observed|) + half of P(|S| = |observed|): less cautious where few outcomes are possible. */
  readonly p_value_mid: number;
  readonly method: 'exact' | 'monte_carlo';
}

const maxStates = 1e6; // "house rule": beyond this many sums the exact table costs more than it tells
const draws = 9999; // Phipson & Smyth 2010: (hits + 1) / (draws + 1)

/**
 * Test whether the mean of paired differences is 0 by flipping their signs in every way. Exact, and so the same in every
 * run, when the differences lie on a grid (task means of 4 to 16 rollouts do); otherwise 9,999 seeded draws.
 *
 * Cost: number of differences times the size of the grid's sum, at most a million.
 *
 * @source Phipson & Smyth 2010; the convolution of a symmetric permutation distribution, Pagano & Tritchler 1983
 */
export function signFlipTest(diffs: readonly number[], seed = 0): SignFlip {
  const scale = commonScale(diffs);
  if (scale === undefined) return sampled(diffs, seed);
  const steps = diffs.map((diff) => Math.round(diff * scale)).filter((step) => step !== 0);
  const reach = steps.reduce((sum, step) => sum + Math.abs(step), 0);
  return reach > maxStates / 2 ? sampled(diffs, seed) : exact(steps, reach);
}

/** S = 2 T - reach, where T is the sum of the steps whose sign stays +; the table holds the distribution of T. */
function exact(steps: readonly number[], reach: number): SignFlip {
  if (reach === 0) return { p_value: 1, p_value_mid: 1, method: 'exact' };
  const table = new Float64Array(reach + 1);
  table[0] = 1;
  let filled = 0;
  for (const step of steps) {
    const size = Math.abs(step);
    for (let at = filled; at >= 0; at--) {
      const half = (table[at] as number) / 2;
      table[at] = half;
      table[at + size] = (table[at + size] as number) + half;
    }
    filled += size;
  }
  const observed = Math.abs(steps.reduce((sum, step) => sum + step, 0));
  let [beyond, equal] = [0, 0];
  for (let at = 0; at <= reach; at++) {
    const sum = Math.abs(2 * at - reach);
    if (sum > observed) beyond += table[at] as number;
    else if (sum === observed) equal += table[at] as number;
  }
  const p = (value: number) => Math.min(1, Math.max(value, Number.MIN_VALUE));
  return { p_value: p(beyond + equal), p_value_mid: p(beyond + equal / 2), method: 'exact' };
}

function sampled(diffs: readonly number[], seed: number): SignFlip {
  const values = Float64Array.from(diffs.filter((diff) => diff !== 0));
  const random = randomStream(seed);
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0));
  const slack = 1e-12 * Math.max(1, values.length);
  let [beyond, equal] = [0, 0];
  for (let draw = 0; draw < draws; draw++) {
    let [sum, bits] = [0, 0];
    for (let at = 0; at < values.length; at++) {
      if (at % 32 === 0) bits = random.bits();
      sum += (bits & 1) === 1 ? (values[at] as number) : -(values[at] as number);
      bits >>>= 1;
    }
    if (Math.abs(sum) > observed + slack) beyond++;
    else if (Math.abs(sum) >= observed - slack) equal++;
  }
  return {
    p_value: (beyond + equal + 1) / (draws + 1),
    p_value_mid: (beyond + (equal + 1) / 2) / (draws + 1),
    method: 'monte_carlo',
  };
}
