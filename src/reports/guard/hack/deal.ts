import type { Graded } from './graded.ts';
import { setBits } from './task-bits.ts';

/** The rewards as they lie on the rows of each task: as they were given, or as a shuffle deals them. */
export interface Deal {
  readonly graded: Graded;
  /** Reward less the mean of its task, by row. */
  readonly centred: Float64Array;
  /** The bits of the rows that passed where others of their task did not. */
  readonly passed: Int32Array;
}

/** The rewards as they were given. */
export function givenDeal(graded: Graded): Deal {
  const centred = graded.centred.slice();
  const deal = { graded, centred, passed: new Int32Array(graded.bits.words) };
  setBits(deal.passed, centred, graded.bits);
  return deal;
}

/** Deal the rewards of every task anew among its rows, in place. */
export function dealAnew({ centred, passed, graded }: Deal, below: (end: number) => number): void {
  shuffleWithin(centred, graded.starts, below);
  setBits(passed, centred, graded.bits);
}

function shuffleWithin(values: Float64Array, starts: Int32Array, below: (end: number) => number): void {
  for (let task = 0; task + 1 < starts.length; task++) {
    const from = starts[task] as number;
    for (let left = (starts[task + 1] as number) - from; left > 1; left--) {
      const [one, other] = [from + left - 1, from + below(left)];
      const kept = values[one] as number;
      values[one] = values[other] as number;
      values[other] = kept;
    }
  }
}
