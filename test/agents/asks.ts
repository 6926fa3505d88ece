import type { Ask } from '../../src/rows/ask.ts';

/** An ask of the hotel, with what a test says of it. */
export const ask = (more: Partial<Ask> = {}): Ask => ({
  ask_id: 'a1',
  scenario_id: 'sc-1',
  prompt: 'Please look at booking B-7 for me',
  seed: 0,
  rollout_index: 0,
  arm: 'structured',
  writer_model: 'template',
  ...more,
});
