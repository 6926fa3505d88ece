import { z } from 'zod';
import { defineFilter } from '../core/define-filter.ts';
import { RecentMap } from '../core/recent-map.ts';
import { isRetraction, revisionOf } from '../rows/revision.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  maxKeys: z
    .int()
    .min(1)
    .default(500_000)
    .describe('Traces whose revision is remembered; the one told longest ago is forgotten first.'),
  keepRetractions: z
    .boolean()
    .default(false)
    .describe('Pass on rows that only take back an earlier one, for an end that removes what it has of it.'),
});

/** The rule alone. One call makes one memory. */
export function keepLatestRevisionCore({
  maxKeys,
  keepRetractions,
}: z.output<typeof options>): (row: Row) => 'superseded' | 'retracted' | undefined {
  const told = new RecentMap<string, number>(maxKeys);
  return (row) => {
    const revision = revisionOf(row);
    if (revision === 0 || !row.rollout_id) return undefined;
    const known = told.get(row.rollout_id);
    if (known !== undefined && revision <= known) return 'superseded';
    told.set(row.rollout_id, revision);
    return isRetraction(row) && !keepRetractions ? 'retracted' : undefined;
  };
}

/**
 * Drop a trace that tells no more than one that came before: an older revision, or the same again. A row that passes after
 * another of its `rollout_id` replaces it: an end that stores rows keeps the highest revision of each. Rows without a
 * revision pass. Memory: an id and a number for each of the last `maxKeys` traces.
 *
 * @rejects superseded - a row of this trace with this or a higher revision came before
 * @rejects retracted - it only takes back what was told before, unless `keepRetractions`
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source house rule
 */
export const keepLatestRevision = defineFilter({
  name: 'keep-latest-revision',
  options,
  rejects: ['superseded', 'retracted'],
  core: keepLatestRevisionCore,
  example: {
    options: {},
    in: [
      { rollout_id: 'a', revision: 2, final_text: 'Found.' },
      { rollout_id: 'a', revision: 1, final_text: '' },
      { rollout_id: 'a', revision: 3, final_text: 'Found it.' },
      { rollout_id: 'b', revision: 2, retracted: true },
    ],
    out: [
      { rollout_id: 'a', revision: 2, final_text: 'Found.' },
      { rollout_id: 'a', revision: 3, final_text: 'Found it.' },
    ],
  },
});
