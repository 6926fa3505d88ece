import { expect, it } from 'vitest';
import { type SimulateOptions, simulateSettings } from '../../../src/pipelines/simulate/options.ts';

const agent = (() => 'ok') as never;
const settle = (options: SimulateOptions) => simulateSettings({ agent, ...options });

it.each([
  ['foo', { foo: 1 }],
  ['zork', { advanced: { zork: 1 } }],
  ['budget', { budget: -1 }],
  ['budget', { budget: 1.5 }],
  ['budget', { budget: 'many' }],
  ['concurrency', { concurrency: 0 }],
  ['faultRate', { faultRate: 2 }],
  ['hardShare', { hardShare: -0.1 }],
  ['situations', { situations: 2.5 }],
  ['runs', { runs: 0 }],
  ['userModel', { userModel: 'gpt' }],
  ['backend', { backend: 'vllm:qwen' }],
  ['grader', { grader: 'hosted' }],
  ['armWeights', { advanced: { armWeights: { nope: 1 } } }],
  ['mutateGradedFailures', { advanced: { mutateGradedFailures: true } }],
  ['logprobs', { logprobs: true }],
  ['phrasings', { phrasings: 2, n: 3 }],
  ['tasks', { tasks: [{ steps: [] }] }],
])('names the option that is wrong: %s', (name, options) => {
  expect(() => settle(options as never)).toThrow(
    expect.objectContaining({ code: 'TM_OPTIONS', message: expect.stringContaining(name) }),
  );
});

it('wants something to begin with', () => {
  expect(() => simulateSettings({})).toThrow('agent');
});

it.each([
  [{ budget: null }, 50_000],
  [{ budget: 0 }, 0],
  [{}, 1000],
])('reads the budget: %j', (options, rows) => {
  expect(settle(options).rows).toBe(rows);
});

it('takes both names of the policy when they say the same', () => {
  expect(settle({ systemPrompt: 'Be brief. ', policy: 'Be brief.' }).prompt).toBe('Be brief. ');
});
