import { expect, it } from 'vitest';
import { dropRedelivered, dropRedeliveredCore } from '../../src/operators/drop-redelivered.ts';
import { filterContract } from '../contract.ts';

filterContract(dropRedelivered);

it('three evaluation runs of one task set are three rollouts, a message sent twice is one', () => {
  const core = dropRedeliveredCore({ maxKeys: 100 });
  const row = (eval_run: number) => ({ scenario_id: 's', rollout_index: 0, lineage: { eval_run } });
  expect([row(0), row(1), row(2), row(1)].map(core)).toEqual([undefined, undefined, undefined, 'redelivered']);
});
