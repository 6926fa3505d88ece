import { bootstrapCi } from '../src/stats/bootstrap.ts';
import { clusterWilson } from '../src/stats/cluster-wilson.ts';
import { randomStream } from '../src/stats/random.ts';
import type { Interval } from '../src/stats/wilson.ts';
import { drawPasses, type Population } from './populations.ts';

/** An interval of pass@1 from task means and the rows behind them. */
export type Method = (rates: readonly number[], rows: number) => Interval | null;

export const methods: Readonly<Record<'cluster_wilson' | 'percentile', Method>> = {
  cluster_wilson: clusterWilson,
  percentile: (rates) => bootstrapCi(rates, { nBoot: 500 }),
};

/** Count how often the interval covers the true pass rate over `draws` evaluations. A missing interval covers nothing. */
export function coverage(
  method: Method,
  population: Population,
  tasks: number,
  k: number,
  draws: number,
  seed = 1,
): number {
  const random = randomStream(seed);
  let covered = 0;
  for (let draw = 0; draw < draws; draw++) {
    const rates = drawPasses(population, tasks, k, random).map((c) => c / k);
    const interval = method(rates, tasks * k);
    if (interval && interval[0] <= population.mean && population.mean <= interval[1]) covered++;
  }
  return covered / draws;
}
