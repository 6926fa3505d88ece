import { TracemillError } from '../core/errors.ts';
import { tQuantile, z95 } from './quantiles.ts';

/**
 * Give how far two means of runs may lie apart by re-run noise alone, at 95 %: a smaller delta says nothing.
 *
 * @param runStd - standard deviation between runs of one policy
 * @param runsA - runs behind the first mean, at least 1
 * @param df - degrees of freedom `runStd` was estimated with; left out when it is known
 * @throws TM_OPTIONS - a count below 1
 * @source rlhfbook ch. 16; Student 1908 where the spread came from few runs
 */
export function noiseBand(runStd: number, runsA = 1, runsB = 1, df?: number): number {
  if (!(runsA >= 1 && runsB >= 1))
    throw new TracemillError('TM_OPTIONS', 'noiseBand: each side needs at least one run');
  return (df === undefined ? z95 : tQuantile(0.975, df)) * runStd * Math.sqrt(1 / runsA + 1 / runsB);
}
