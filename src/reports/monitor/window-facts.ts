import type { JsonObject } from '../../core/json-object.ts';
import { type Comparison, compareRuns } from '../compare-runs.ts';
import { finiteOrNull, meanLength, meanScore } from './evaluation.ts';
import type { MonitorSettings } from './options.ts';
import { type GainTest, gainTest } from './significant-gain.ts';

/** One evaluation as later ones look back on it. */
export interface Looked {
  readonly step: number;
  readonly rows: readonly JsonObject[];
}

/** What changed between the evaluation that the window reaches back to and this one. */
export interface WindowFacts {
  readonly since_step: number;
  /** NaN when one of the proxies is no number, null when one is missing. */
  readonly proxy_gain: number | null;
  /** Null when one side has no gold: nothing to compare. */
  readonly gold: Comparison | null;
  readonly length_growth: number | null;
  readonly test: GainTest;
}

/** Compare two evaluations in proxy, gold and length. */
export function windowFacts(then: Looked, now: Looked, settings: MonitorSettings): WindowFacts {
  const [was, is] = [meanScore(then.rows, 'proxy'), meanScore(now.rows, 'proxy')];
  const isGold = [then, now].every(({ rows }) => meanScore(rows, 'gold') !== undefined);
  const [short, long] = [meanLength(then.rows) ?? 0, meanLength(now.rows) ?? 0];
  return {
    since_step: then.step,
    proxy_gain: was === undefined || is === undefined ? null : is - was,
    gold: isGold ? compareRuns(then.rows, now.rows, { metric: 'marker:gold', seed: settings.seed }) : null,
    length_growth: short > 0 ? finiteOrNull(long / short - 1) : null,
    test: gainTest(then.rows, now.rows, settings),
  };
}
