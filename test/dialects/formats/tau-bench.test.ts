import { expect, it } from 'vitest';
import { tauBench } from '../../../src/dialects/formats/tau-bench.ts';

const said = (role: string, content: string) => ({ role, content });
const calling = (name: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{}' } }],
});
const answer = { role: 'tool', tool_call_id: 'c', name: 'x', content: 'ok' };
const start = [said('system', 'Policy.'), said('user', 'Cancel it'), said('assistant', 'Which one?')];
const run = (traj: readonly unknown[]) => ({
  task_id: 0,
  trial: 3,
  reward: 0.0,
  info: { task: { actions: [] } },
  traj,
});
const rowOf = (traj: readonly unknown[]) => {
  const [found] = tauBench.read(run(traj));
  return found?.kind === 'row' ? found.row : undefined;
};

it('says that the user ended a run, and keeps the last reply as its final text', () => {
  expect(rowOf([...start, said('user', 'Bye ###STOP###')])).toMatchObject({
    scenario_id: '0',
    rollout_index: 3,
    reward: 0,
    prompt: 'Cancel it',
    final_text: 'Which one?',
    ended_by: 'user',
    finish_reason: 'stop',
    system_prompt: 'Policy.',
    privileged: { reference: '{"actions":[]}' },
  });
});

it('says that a transfer ended a run', () => {
  const row = rowOf([...start, calling('transfer_to_human_agents'), answer]);
  expect(row).toMatchObject({ ended_by: 'tool', finish_reason: 'stop', final_text: 'Which one?' });
});

it('says that a run was cut when neither the user nor a transfer ended it', () => {
  for (const end of [[calling('search'), answer], [said('user', 'And the other?')]]) {
    const row = rowOf([...start, ...end]);
    expect(row?.['finish_reason']).toBe('length');
    expect(row).not.toHaveProperty('ended_by');
  }
});

it('rejects a record that is no run', () => {
  expect(tauBench.read({ task_id: 1 })).toMatchObject([{ kind: 'rejected', reason: 'invalid_record' }]);
  expect(tauBench.read(run([]))).toMatchObject([{ kind: 'rejected', reason: 'empty_conversation' }]);
});
