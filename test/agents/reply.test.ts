import { describe, expect, it } from 'vitest';
import { isAuthError } from '../../src/agents/auth-error.ts';
import { finishReason, hitLengthCap } from '../../src/agents/finish-reason.ts';
import { rollUpSampling } from '../../src/agents/roll-up-sampling.ts';
import { splitReasoning } from '../../src/agents/split-reasoning.ts';
import { unusableReason } from '../../src/agents/unusable-reason.ts';

describe('thoughts never reach the text', () => {
  it.each([
    ['Hi <think>never ends', { spoken: 'Hi', closed: 0, unclosed: true }],
    ['<think>a</think>x<think>b', { spoken: 'x', closed: 1, unclosed: true }],
    ['a < b and think > c', { spoken: 'a < b and think > c', closed: 0, unclosed: false }],
  ])('%j', (text, split) => {
    expect(splitReasoning(text)).toEqual(split);
  });
});

it('sampling facts of a step that has none are not made up', () => {
  const measured = { text: 'a', logprob: -1, n_tokens: 2, token_logprobs: [-0.5, -0.5] };
  expect(rollUpSampling([measured, { text: 'b' }])).toEqual({ logprob: -1, n_tokens: 2, token_logprobs: [-0.5, -0.5] });
  expect(rollUpSampling([measured, { text: 'b', logprob: -1, n_tokens: 1 }])).toEqual({ logprob: -2, n_tokens: 3 });
  expect(rollUpSampling([{ logprob: Number.NaN }, 'odd', null])).toEqual({});
});

it('a recited tool schema is no reply, a JSON answer is', () => {
  const schema = '{"name": "get", "description": "Get it.", "parameters": {}}';
  expect(unusableReason({ final_text: `Here: ${schema}` })).toBe('tool_markup');
  expect(unusableReason({ final_text: '{"name": "Ada", "parameters": 3}' })).toBeNull();
});

it('a table is an ending, an open fence is none', () => {
  const row = '| order | shipped |\n'.repeat(20);
  expect(hitLengthCap({ final_text: row })).toBe(false);
  expect(hitLengthCap({ final_text: `${'word '.repeat(60)}\n\`\`\`sql\nselect 1` })).toBe(true);
  expect(finishReason({ finish_reason: 'tool', final_text: 'x' })).toBe('tool');
});

it.each([
  [new Error('Error code: 401 - invalid_api_key'), true],
  [Object.assign(new Error('denied'), { status: 403 }), true],
  [Object.assign(new Error('401 things went wrong'), { status: 500 }), false],
  [new Error('boom at line 14010'), false],
  ['AuthenticationError: No API key', true],
])('%s is a refused key: %s', (error, isRefused) => {
  expect(isAuthError(error)).toBe(isRefused);
});
