import type { Random } from '../src/stats/random.ts';

/** How difficult tasks are: draws the pass rate of a task. */
export interface Population {
  readonly name: string;
  readonly mean: number;
  rate(random: Random): number;
}

const mix = (name: string, parts: readonly (readonly [share: number, rate: number])[]): Population => ({
  name,
  mean: parts.reduce((sum, [share, rate]) => sum + share * rate, 0),
  rate(random) {
    let left = random.uniform();
    for (const [share, rate] of parts) {
      if (left < share) return rate;
      left -= share;
    }
    return parts.at(-1)?.[1] ?? 0;
  },
});
const beta = (a: number, b: number): Population => ({
  name: `beta(${a}, ${b})`,
  mean: a / (a + b),
  rate(random) {
    for (;;) {
      const [x, y] = [random.uniform() ** (1 / a), random.uniform() ** (1 / b)]; // Jöhnk 1964
      if (x + y <= 1 && x + y > 0) return x / (x + y);
    }
  },
});

/** Eight kinds of task sets: smooth, U-shaped, near the ceiling, with a hard tail, and of a few difficulties. */
export const populations: readonly Population[] = [
  beta(2, 2),
  beta(0.6, 0.4),
  beta(4.5, 0.5),
  mix('8 % hard in an easy set', [
    [0.92, 0.97],
    [0.08, 0.1],
  ]),
  mix('two-point', [
    [0.5, 0.2],
    [0.5, 0.8],
  ]),
  mix('all or nothing', [
    [0.6, 1],
    [0.4, 0],
  ]),
  mix('homogeneous', [[1, 0.6]]),
  mix('three-point', [
    [0.3, 0.1],
    [0.4, 0.5],
    [0.3, 0.9],
  ]),
];

/** Draw how many of k rollouts pass. */
export function passes(rate: number, k: number, random: Random): number {
  let count = 0;
  for (let at = 0; at < k; at++) if (random.uniform() < rate) count++;
  return count;
}

/** Draw the pass counts of `tasks` tasks. */
export const drawPasses = (population: Population, tasks: number, k: number, random: Random): number[] =>
  Array.from({ length: tasks }, () => passes(population.rate(random), k, random));
