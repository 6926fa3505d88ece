import { rolloutWatch } from '../../src/agents/rollout-watch.ts';
import { compose } from '../../src/core/compose.ts';
import { type AnyStage, defineStage } from '../../src/core/stage.ts';
import { bandFilter } from '../../src/operators/band-filter.ts';
import { ungroup } from '../../src/operators/ungroup.ts';
import { evaluateStages } from '../../src/pipelines/evaluate.ts';
import { groupStage } from '../../src/pipelines/group-stage.ts';
import { rowIdentity } from '../../src/pipelines/row-identity.ts';
import { worldStage } from '../../src/pipelines/simulate/world-stage.ts';
import { type Group, groupSchema } from '../../src/rows/group.ts';
import { type Row, rowSchema } from '../../src/rows/row.ts';
import { k } from './workload.ts';

/** An agent and a judge that take no time: what is measured is everything else. Half of each task passes. */
const agent = (message: string, { rolloutIndex }: { readonly rolloutIndex: number }) =>
  rolloutIndex % 2 === 0 ? `${message} It is on its way.` : 'I do not know.';
const judge = ({ final_text }: Row) => (final_text?.includes('on its way') ? 1 : 0);

/** Play, grade, gather and choose, give one by one: four hops, all of a task in one place. */
export const stages: readonly AnyStage[] = [
  worldStage({ tools: [] }, { agent, watch: rolloutWatch() }),
  ...evaluateStages({}, { judge }).map((stage) => ({ ...stage, views: [] })),
  groupStage({ k }),
  defineStage<Group, Row>({
    name: 'band',
    from: 'groups',
    to: 'selected',
    reads: groupSchema,
    writes: rowSchema,
    ...rowIdentity,
    per: 'record',
    operator: () => compose(bandFilter({}), ungroup({})),
  }),
];
