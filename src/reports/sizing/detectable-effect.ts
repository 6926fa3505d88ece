import { z } from 'zod';
import { parseOptions } from '../../core/operator.ts';
import { normalQuantile } from '../../stats/quantiles.ts';
import { round } from '../round.ts';

/** What the sizing of an evaluation assumes. */
export const sizingOptions = {
  base: z.number().min(0).max(1).default(0.6).describe('Pass rate before the change.'),
  k: z.int().min(1).default(4).describe('Rollouts a task.'),
  power: z.number().gt(0).lt(1).default(0.8).describe('Probability that a true effect is found.'),
  alpha: z.number().gt(0).lt(1).default(0.05).describe('Probability that no effect is called one, two-sided.'),
};
const options = z.strictObject(sizingOptions);

/** Give the standard errors that an effect must be worth to be found: z(1 - alpha / 2) + z(power). */
export const neededErrors = (alpha: number, power: number): number =>
  normalQuantile(1 - alpha / 2) + normalQuantile(power);

/**
 * Give the smallest gain in pass rate that `nTasks` paired tasks find, 4 digits: the root of e = z sd(e) / sqrt(n) when
 * rollouts are independent. Null under 2 tasks and when no gain that is left above `base` would be found.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source Miller 2024, arXiv 2411.00640 (power)
 */
export function detectableEffect(nTasks: number, config: z.input<typeof options> = {}): number | null {
  const { base, k, power, alpha } = parseOptions('detectableEffect', options, config);
  if (!(nTasks >= 2) || base === 1) return null;
  // e^2 = c (p(1 - p) + q(1 - q)) with q = p + e, which is a quadratic in e
  const c = neededErrors(alpha, power) ** 2 / (nTasks * k);
  const [a, b, last] = [1 + c, -c * (1 - 2 * base), -2 * c * base * (1 - base)];
  const effect = (-b + Math.sqrt(b * b - 4 * a * last)) / (2 * a);
  return effect > 1 - base ? null : round(effect);
}
