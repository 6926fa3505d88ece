import { from, lastValueFrom, toArray } from 'rxjs';
import { expect, it } from 'vitest';
import { gridPlan } from '../../src/grid/plan.ts';
import { planSituations } from '../../src/grid/situations.ts';
import { writer } from '../../src/operators/writer.ts';
import { askSchema } from '../../src/rows/ask.ts';
import { operatorContract } from '../contract.ts';
import { hotelPolicy, hotelTools } from '../grid/agents.ts';

operatorContract(writer);

const { situations } = planSituations(gridPlan(hotelTools, hotelPolicy), { mode: 'rl' });
const tools = [...hotelTools];
const write = (list: typeof situations, options = {}) =>
  lastValueFrom(from(list).pipe(writer({ tools, ...options }), toArray()));

it('writes an ask for each phrasing and each repeat; repeats share their words', async () => {
  const asks = await write(situations.slice(0, 5), { phrasings: 3, repeats: 2 });
  expect(asks).toHaveLength(5 * 3 * 2);
  expect(new Set(asks.map(({ ask_id }) => ask_id)).size).toBe(15);
  expect(new Set(asks.map(({ ask_id, rollout_index }) => `${ask_id} ${rollout_index}`)).size).toBe(30);
  for (const ask of asks) expect(askSchema.safeParse(ask).success).toBe(true);
});

it('writes the same words whatever came before', async () => {
  const forward = await write(situations);
  const backward = await write(situations.toReversed());
  expect(backward.toReversed()).toEqual(forward);
});

it('writes other words for another seed', async () => {
  const [a, b] = [await write(situations, { seed: 1 }), await write(situations, { seed: 2 })];
  expect(a.filter(({ prompt }, n) => prompt === b[n]?.prompt)).toEqual([]);
});
