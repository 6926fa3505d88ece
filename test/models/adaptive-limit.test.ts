import { expect, it } from 'vitest';
import { adaptiveLimit } from '../../src/models/adaptive-limit.ts';
import { parseBackendSpec } from '../../src/models/backend-spec.ts';

const never = new AbortController().signal;

it('each round of good calls allows one more, up to the most', async () => {
  const bound = adaptiveLimit({ start: 2, max: 4 });
  for (let round = 0; round < 30; round++) (await bound.enter(never))('fine');
  expect([bound.limit, bound.running]).toEqual([4, 0]);
});

it('calls that fail together halve the bound once, a later one again, never below one', async () => {
  const bound = adaptiveLimit({ start: 8 });
  const together = await Promise.all(Array.from({ length: 8 }, () => bound.enter(never)));
  for (const leave of together) leave('full');
  expect(bound.limit).toBe(4);
  for (let n = 0; n < 5; n++) (await bound.enter(never))('full');
  expect(bound.limit).toBe(1);
});

it('never runs more than the bound, in the order they came, and forgets who left the queue', async () => {
  const bound = adaptiveLimit({ start: 1, max: 1 });
  const first = await bound.enter(never);
  const stop = new AbortController();
  const order: number[] = [];
  const gone = bound.enter(stop.signal);
  const rest = [1, 2].map(async (n) => {
    const leave = await bound.enter(never);
    order.push(n);
    leave('other');
  });
  stop.abort(new Error('left'));
  await expect(gone).rejects.toThrow('left');
  expect(bound.running).toBe(1);
  first('other');
  await Promise.all(rest);
  expect([order, bound.running]).toEqual([[1, 2], 0]);
});

it.each([
  ['openai:gpt-4o', 'https://api.openai.com/v1', 'gpt-4o'],
  ['anthropic:claude', 'https://api.anthropic.com/v1', 'claude'],
  ['fireworks:accounts/x', 'https://api.fireworks.ai/inference/v1', 'accounts/x'],
  ['ollama:qwen2.5:7b', 'http://localhost:11434/v1', 'qwen2.5:7b'],
  ['vllm:org/m@https://h/v1/', 'https://h/v1', 'org/m'],
  ['openai:org/m@2@http://h:1/v1/', 'http://h:1/v1', 'org/m@2'],
  ['ollama:qwen3@http://h:1', 'http://h:1/v1', 'qwen3'],
  ['http://h:1/v1#m', 'http://h:1/v1', 'm'],
])('%s is a model', (spec, baseURL, model) => {
  expect(parseBackendSpec(spec)).toMatchObject({ baseURL, model });
});

it.each(['gpt-4o', 'openai:', 'vllm:m', 'vllm:m@h:1', 'openai:m@h:1', 'ollama:m@localhost', 'constructor:x', ''])(
  '%j is no model',
  (spec) => {
    expect(() => parseBackendSpec(spec)).toThrow(expect.objectContaining({ reason: 'invalid_option' }));
  },
);

it('base URLs of the environment are taken', () => {
  expect(parseBackendSpec('openai:m', { OPENAI_BASE_URL: 'http://proxy/v1' }).baseURL).toBe('http://proxy/v1');
  expect(parseBackendSpec('ollama:m', { OLLAMA_HOST: 'box:11434' }).baseURL).toBe('http://box:11434/v1');
});
