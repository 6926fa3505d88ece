import type { Row } from '../../rows/row.ts';
import { judgeCaller } from '../call-judge.ts';
import type { Judge } from '../judge.ts';
import { mapInOrder } from '../map-in-order.ts';
import { additive, askedAgain } from './altered-rows.ts';
import { gradedSample, judgedAgain } from './judge-probes.ts';

const maxFlips = 0.1;

interface PerturbationOptions {
  readonly sample: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
}

/**
 * Ask a judge again, unchanged and with a neutral sentence added three times: how often does its verdict change? Flagged from
 * one row in ten.
 *
 * @source rlhfbook ch. 5
 */
export async function perturbation(rows: readonly Row[], judge: Judge, options: PerturbationOptions) {
  const ask = judgeCaller(judge, { timeoutMs: options.timeoutMs });
  const graded = gradedSample(rows, options);
  const tried = (alter: (row: Row) => Row | undefined) =>
    mapInOrder(graded, options.concurrency, ({ row, before }) => judgedAgain(ask, alter(row), before));
  const again = await tried(askedAgain);
  const filled = await tried((row) => additive['filler']?.(row, undefined));
  const [same, longer] = [changes(again), changes(filled)];
  return {
    n: graded.length,
    consistency_flip_rate: same.rate,
    filler_flip_rate: longer.rate,
    filler_flips_up: longer.up,
    filler_flips_down: longer.down,
    flagged_consistency: (same.rate ?? 0) >= maxFlips,
    flagged_length: (longer.rate ?? 0) >= maxFlips,
    errors: same.errors + longer.errors,
  };
}

function changes(tried: readonly { readonly before: 0 | 1; readonly after: boolean | null | undefined }[]) {
  const answered = tried.filter(({ after }) => typeof after === 'boolean');
  const up = answered.filter(({ before, after }) => before === 0 && after === true).length;
  const down = answered.filter(({ before, after }) => before === 1 && after === false).length;
  const rate = answered.length === 0 ? null : (up + down) / answered.length;
  return { up, down, rate, errors: tried.length - answered.length };
}
