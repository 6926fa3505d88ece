import type { Fold } from '../../core/fold.ts';
import { isObject } from '../../core/json-object.ts';
import { addTo, type ExactSum, emptySum, totalOf } from '../../stats/exact-sum.ts';
import { type Interval, wilsonInterval } from '../../stats/wilson.ts';
import { four } from '../rounding.ts';
import { exactLabel } from './gold.ts';

const bins = 10;

/** How often rows of about one reward are right. */
export interface CalibrationBin {
  /** Mean of what the judge said, from 0 to 1. */
  readonly said: number;
  /** Share that the gold passes. */
  readonly right: number;
  readonly ci95: Interval | null;
  readonly n: number;
}

interface Bin {
  n: number;
  right: number;
  readonly said: ExactSum;
}
type Bins = Map<number, Bin>;

/**
 * Hold a judge's rewards, or its probabilities where it gives them, against the gold: ten bins, each with the share that is
 * right. A calibrated judge lies on the diagonal. Rows without both are left out. Memory: ten bins.
 *
 * @source Guo et al. 2017, arXiv 1706.04599 (reliability diagrams)
 */
export const calibrationFold: Fold<unknown, Bins, readonly CalibrationBin[]> = {
  start: () => new Map(),
  add(state, row) {
    if (!isObject(row)) return;
    const gold = exactLabel(row['gold_reward']);
    const said = saidOf(row);
    if (gold === undefined || said === undefined) return;
    const bin = binOf(state, Math.min(bins - 1, Math.floor(said * bins)));
    bin.n++;
    bin.right += gold;
    addTo(bin.said, said);
  },
  merge(into, from) {
    for (const [at, { n, right, said }] of from) {
      const bin = binOf(into, at);
      bin.n += n;
      bin.right += right;
      addTo(bin.said, said.high);
      addTo(bin.said, said.low);
    }
  },
  end: (state) =>
    [...state]
      .sort(([a], [b]) => a - b)
      .map(([, { n, right, said }]) => ({
        said: four(totalOf(said) / n),
        right: four(right / n),
        ci95: wilsonInterval(right, n),
        n,
      })),
};

function binOf(state: Bins, at: number): Bin {
  const known = state.get(at) ?? { n: 0, right: 0, said: emptySum() };
  state.set(at, known);
  return known;
}

function saidOf(row: Readonly<Record<string, unknown>>): number | undefined {
  const meta = row['judge_meta'];
  const chance = isObject(meta) && typeof meta['probability'] === 'number' ? meta['probability'] : row['reward'];
  return typeof chance === 'number' && chance >= 0 && chance <= 1 ? chance : undefined;
}
