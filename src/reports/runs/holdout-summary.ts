import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { parseOptions } from '../../core/operator.ts';

const options = z.strictObject({
  metric: z.enum(['pass', 'loss']).default('pass').describe('`pass`: rates from 0 to 1. `loss`: any number.'),
});

/**
 * Name what a held-out set scored before and after training, as the summary of a run holds it.
 *
 * @throws TM_OPTIONS - a number is not finite, or a pass rate is not from 0 to 1: 58 is no rate
 * @source house rule
 */
export function holdoutSummary(
  before: number,
  after: number,
  given: z.input<typeof options> = {},
): Readonly<Record<string, number>> {
  const { metric } = parseOptions('holdoutSummary', options, given);
  const isRight = (value: unknown): boolean =>
    Number.isFinite(value) && (metric === 'loss' || ((value as number) >= 0 && (value as number) <= 1));
  if (!isRight(before) || !isRight(after)) {
    const wanted = metric === 'pass' ? 'pass rates are numbers from 0 to 1' : 'losses are finite numbers';
    throw new TracemillError('TM_OPTIONS', `holdout: ${wanted}, not ${before} and ${after}`, {
      reason: 'invalid_input',
    });
  }
  return metric === 'pass'
    ? { holdoutPassBefore: before, holdoutPassAfter: after }
    : { holdoutLossBefore: before, holdoutLossAfter: after };
}
