import { expect, it } from 'vitest';
import { askSchema } from '../../src/rows/ask.ts';
import { rowSchema } from '../../src/rows/row.ts';

const ask = {
  ask_id: 'a1',
  scenario_id: 'sc-1',
  prompt: 'Where is T1?',
  seed: 0,
  rollout_index: 0,
  arm: 'structured',
  writer_model: 'template',
  faults: { '*': { mode: 'timeout', rate: 1 } },
  campaign: 'spring',
};

it('an ask keeps what it does not know and is half of a row', () => {
  expect(askSchema.parse(ask)).toEqual(ask);
  expect(rowSchema.safeParse(ask).success).toBe(true);
});

it.each(['scenario_id', 'prompt', 'seed', 'rollout_index', 'ask_id'])('an ask without %s is no ask', (key) => {
  expect(askSchema.safeParse({ ...ask, [key]: undefined }).success).toBe(false);
});
