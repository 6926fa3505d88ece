import type { Fold } from '../../core/fold.ts';
import { isObject } from '../../core/json-object.ts';
import { groupValue } from '../../rows/group-value.ts';
import { metricName } from '../../rows/metric.ts';
import { type RunTallies, runTallies } from '../eval-variance.ts';
import { type PassAtState, passCounts } from '../pass-at/state.ts';
import { type Tally, tallyFold } from '../tally.ts';
import type { DeltaSettings } from './options.ts';

/** What the report needs of one side. */
export interface Side {
  readonly tally: Tally;
  readonly passes: PassAtState;
  readonly runs: RunTallies;
  readonly groups: Map<string, Tally>;
}

/** Read one side. Costs three look-ups a row and one a marker; memory: a few numbers for each task and metric. */
export function sideFold(given: DeltaSettings): Fold<unknown, Side, Side> {
  const named = [given.target, given.proxy, ...given.mustNotRegress].filter((name) => name !== undefined);
  const metrics = given.markers && [...new Set(['pass_at_1', ...given.markers, ...named].map(metricName))];
  const tally = tallyFold(metrics);
  const runs = runTallies('eval_run');
  const grouped = tallyFold([...new Set(['pass_at_1', metricName(given.target ?? 'pass_at_1')])]);
  const groupIn = (groups: Map<string, Tally>, group: string) => {
    const known = groups.get(group) ?? grouped.start();
    groups.set(group, known);
    return known;
  };
  return {
    start: () => ({ tally: tally.start(), passes: passCounts.start(), runs: runs.start(), groups: new Map() }),
    add(side, row) {
      if (!isObject(row)) return;
      tally.add(side.tally, row);
      passCounts.add(side.passes, row);
      runs.add(side.runs, row);
      const { by } = given;
      const group = by === undefined ? undefined : typeof by === 'function' ? by(row) : groupValue(row, by);
      if (group !== undefined) grouped.add(groupIn(side.groups, group), row);
    },
    merge(into, from) {
      tally.merge(into.tally, from.tally);
      passCounts.merge(into.passes, from.passes);
      runs.merge(into.runs, from.runs);
      for (const [group, other] of from.groups) grouped.merge(groupIn(into.groups, group), other);
    },
    end: (side) => side,
  };
}
