import { expect, it } from 'vitest';
import { rowKey, taskKey } from '../../src/rows/task-key.ts';

it('groups by the first of scenario, task and prompt that is not empty', () => {
  expect(taskKey({ scenario_id: 's', task_id: 't', prompt: 'p' })).toBe('s');
  expect(taskKey({ scenario_id: '', task_id: 't', prompt: 'p' })).toBe('t');
  expect(taskKey({ scenario_id: null, task_id: 0, prompt: ' P ' })).toBe(' P ');
  expect(taskKey({ scenario_id: 7 })).toBe('7');
  expect(taskKey({ scenario_id: 90071992547409931n })).toBe('90071992547409931');
  expect(taskKey({})).toBe('');
});

it('names a row by its id, by scenario and index, else by its text', () => {
  expect(rowKey({ rollout_id: 'r', scenario_id: 's', rollout_index: 0 })).toBe('r');
  expect(rowKey({ scenario_id: 's', rollout_index: 0 })).toBe('s#0');
  expect(rowKey({ scenario_id: '', rollout_index: 2 })).toBe('#2');
  expect(rowKey({ scenario_id: 's', prompt: 'Where is it?', final_text: 'On its way.' })).toBe('fe12a480a9218f01');
  expect(rowKey({ prompt: null })).toBe(rowKey({}));
});
