import { expect, it } from 'vitest';
import type { SearchArm } from '../../src/grid/arms.ts';
import { Planner } from '../../src/grid/planner/planner.ts';
import { Prompts } from '../../src/grid/planner/prompts.ts';
import { situationStream } from '../../src/grid/situation-stream.ts';
import { resolveTopology } from '../../src/grid/topology.ts';
import type { Ask } from '../../src/rows/ask.ts';
import type { Row } from '../../src/rows/row.ts';
import { hotelPolicy, hotelTools } from './agents.ts';

const budget = 1500;

/** Play a run to its end: how the agent behaves is a word for each ask. */
function shares(behaves: (ask: Ask, nth: number) => string) {
  const planned = situationStream(hotelTools, hotelPolicy, { seed: 3, faultRate: 1 });
  const plain = { tools: hotelTools, seed: 3, phrasings: 3, unique: false, mayBend: true, onlyPlanned: false };
  const planner = new Planner(
    {
      topology: resolveTopology({ mode: 'sft', phrasings: 3, repeats: 1 }),
      ...{ budget, first: [], onlyFirst: false, probe: 2, perRound: 80, until: 'compute', expected: [] },
      ...{ graded: false, mutateGraded: false },
    },
    new Prompts(plain, planned),
  );
  const arms = new Map<string, number>();
  let nth = 0;
  for (let asks = planner.next(); asks.length > 0; asks = planner.next())
    planner.landed(
      asks.map((ask) => {
        arms.set(ask.arm, (arms.get(ask.arm) ?? 0) + 1);
        const signature = behaves(ask, nth++);
        const isFault = Object.keys(ask.faults ?? {}).length > 0;
        const steps = [{ tool: 'get_booking', arguments: {}, result: { status: isFault ? 'timeout' : 'ok' } }];
        return { ask, row: { rollout_id: `r${nth}`, behavior_signature: signature, steps, final_text: 'x' } as Row };
      }),
    );
  const share = (arm: SearchArm) => (arms.get(arm) ?? 0) / budget;
  return { weight: planner.state().weights.failure_mutation, mutants: share('failure_mutation') };
}

it('an agent that fails in new ways on mutants, and only there, raises their share', () => {
  const steady = shares(() => 'as ever');
  const fails = shares((ask, nth) => (ask.arm === 'failure_mutation' ? `failed ${nth}` : 'as ever'));
  expect(fails.weight).toBeGreaterThan(1.5 * steady.weight);
  expect(fails.mutants).toBeGreaterThan(1.5 * steady.mutants);
  expect(steady.mutants).toBeGreaterThan(0);
});
