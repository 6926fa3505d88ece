import normal from '@stdlib/stats-base-dists-normal-quantile';
import t from '@stdlib/stats-base-dists-t-quantile';

/** Give the standard normal quantile at `p`, between 0 and 1. */
export const normalQuantile = (p: number): number => normal(p, 0, 1);

/** Give the Student t quantile at `p` with `df` degrees of freedom, above 0. */
export const tQuantile = (p: number, df: number): number => t(p, df);

/** The two-sided 95 % quantile of the standard normal, 1.959964. */
export const z95 = normalQuantile(0.975);
