import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../src/models/chat-model.ts';
import { createModels } from '../../src/models/models.ts';
import { fileCache, memoryCache } from '../../src/models/response-cache.ts';
import { type Answer, calls, fakeHost, says } from './fake-host.ts';

const spec = 'vllm:m@http://host:1/v1';
const never = new AbortController().signal;
const request = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', content: 'hi' }],
  repeat: ['r', 0],
  ...more,
});
const tools = [{ type: 'function' as const, function: { name: 'get', description: '', parameters: {} } }];

/** A model on a host that answers by the script; waits are kept, not waited. */
function opened(script: readonly Answer[], options: Parameters<typeof createModels>[0] = {}, ports = {}) {
  const waits: number[] = [];
  const { fetch, asked } = fakeHost((_asked, n) => script[Math.min(n, script.length - 1)] ?? 'drop');
  const sleep = async (ms: number) => void waits.push(ms);
  const models = createModels(options, { env: {}, fetch, sleep, clock: () => 0, ...ports });
  return { model: models.open(spec), models, asked, waits };
}

describe('a good answer', () => {
  it('is read with its usage and its model, and the request says what was asked for', async () => {
    const { model, asked, models } = opened([says('hello')]);
    const reply = await model.chat(request({ tools, temperature: 0.5, maxTokens: 9, toolChoice: 'none' }), never);
    expect(reply).toEqual({
      ...{ text: 'hello', calls: [], finish: 'stop', isRefusal: false, model: 'fake-1' },
      usage: { input_tokens: 5, output_tokens: 2 },
    });
    expect(asked[0]?.body).toEqual({
      ...{ model: 'm', messages: [{ role: 'user', content: 'hi' }], tools, tool_choice: 'none' },
      ...{ temperature: 0.5, max_tokens: 9, stream: false },
    });
    expect(models.use()).toMatchObject([{ model: 'm', sent: 1, answered: 1, input_tokens: 5, output_tokens: 2 }]);
  });

  it.each<[string, unknown, unknown]>([
    ['text', '{"id": 12345678901234567890}', { id: 12345678901234567890n }],
    ['an object', { id: 'B-7' }, { id: 'B-7' }],
    ['quoted text', JSON.stringify('{"id":1}'), { id: 1 }],
    ['nothing', '', {}],
    ['broken text', '{"id": ', undefined],
  ])('reads arguments that are %s', async (_what, given, args) => {
    const { model } = opened([calls('get', given)]);
    const reply = await model.chat(request({ tools }), never);
    expect(reply).toMatchObject({ finish: 'tool', calls: [{ id: 'c1', name: 'get' }] });
    expect(reply.calls[0]?.arguments).toEqual(args);
  });

  it('is put together from the pieces of a stream: text, calls by index, usage, log-probabilities', async () => {
    const piece = (delta: unknown, more = {}) => ({
      model: 'fake-1',
      choices: [{ index: 0, delta, finish_reason: null, ...more }],
    });
    const chunks = [
      piece({ role: 'assistant', content: 'Let me ' }, { logprobs: { content: [{ token: 'a', logprob: -0.5 }] } }),
      piece({ content: 'look.' }, { logprobs: { content: [{ token: 'b', logprob: -0.25 }] } }),
      piece({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'get', arguments: '' } }] }),
      piece({ tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'get', arguments: '{}' } }] }),
      piece({ tool_calls: [{ index: 0, function: { arguments: '{"id":' } }] }),
      piece({ tool_calls: [{ index: 0, function: { arguments: '7}' } }] }, { finish_reason: 'tool_calls' }),
      { model: 'fake-1', choices: [], usage: { prompt_tokens: 4, completion_tokens: 6 } },
    ];
    const { model, asked } = opened([{ chunks }], { stream: true });
    expect(await model.chat(request({ tools, logprobs: true }), never)).toMatchObject({
      text: 'Let me look.',
      calls: [
        { id: 'c1', arguments: { id: 7 } },
        { id: 'c2', arguments: {} },
      ],
      finish: 'tool',
      usage: { input_tokens: 4, output_tokens: 6 },
      tokenLogprobs: [-0.5, -0.25],
    });
    expect(asked[0]?.body).toMatchObject({ stream: true, logprobs: true });
  });

  it('may be a refusal, may start inside a thought, may be empty', async () => {
    expect(await opened([says('', { refusal: 'I will not.' })]).model.chat(request(), never)).toMatchObject({
      text: 'I will not.',
      isRefusal: true,
    });
    expect((await opened([says('so it is</think>Yes.')]).model.chat(request(), never)).text).toBe(
      '<think>so it is</think>Yes.',
    );
    expect((await opened([says('')]).model.chat(request(), never)).text).toBe('');
  });
});

describe('a bad answer', () => {
  const busy = (headers: Record<string, string>): Answer => ({ status: 429, headers });

  it('429 is tried again after what the host asks for, in seconds, as a date or in ms', async () => {
    const script = [
      busy({ 'retry-after': '3' }),
      busy({ 'retry-after': 'Thu, 01 Jan 1970 00:00:07 GMT' }),
      busy({ 'retry-after-ms': '250' }),
      says('ok'),
    ];
    const { model, waits, models } = opened(script);
    expect((await model.chat(request(), never)).text).toBe('ok');
    expect(waits).toEqual([3000, 7000, 250]);
    expect(models.use()[0]).toMatchObject({ sent: 4, answered: 1, failed_by: { rate_limited: 3 } });
  });

  it('a host that asks for an hour is not waited for that long', async () => {
    const { model, waits } = opened([busy({ 'retry-after': '3600' }), says('ok')], { maxWaitMs: 5000 });
    await model.chat(request(), never);
    expect(waits).toEqual([5000]);
  });

  it.each<[string, Answer]>([
    ['a server error', { status: 500 }],
    ['a bad gateway in HTML', { status: 502, body: '<html>' }],
    ['a dropped connection', 'drop'],
    ['JSON that breaks off', { text: '{"choices": [' }],
    ['JSON that is no completion', { text: '{"object": "list"}' }],
    ['a text that is no JSON', { text: 'It works!' }],
    ['no choice', { status: 200, body: { choices: [] } }],
  ])('%s is tried again, with waits that grow', async (_what, bad) => {
    const { model, waits } = opened([bad, bad, says('ok')], { firstWaitMs: 100 });
    expect((await model.chat(request(), never)).text).toBe('ok');
    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(50);
    expect(waits[0]).toBeLessThanOrEqual(100);
    expect(waits[1]).toBeGreaterThanOrEqual(100);
  });

  it.each<[string, Answer, string, string]>([
    ['a wrong request', { status: 400, body: { error: { message: 'no such field' } } }, 'TM_MODEL', 'bad_request'],
    ['a refused key', { status: 401 }, 'TM_AUTH', 'auth'],
    [
      'a spent quota',
      { status: 429, body: { error: { message: 'pay', code: 'insufficient_quota' } } },
      'TM_MODEL',
      'quota_exceeded',
    ],
    ['an unknown model', { status: 404 }, 'TM_MODEL', 'bad_request'],
  ])('%s is not tried again', async (_what, bad, code, reason) => {
    const { model, asked } = opened([bad]);
    await expect(model.chat(request(), never)).rejects.toMatchObject({ code, reason });
    expect(asked).toHaveLength(1);
  });

  it('gives up after the retries it was given, with what happened last', async () => {
    const { model, asked } = opened([{ status: 503 }], { maxRetries: 2 });
    await expect(model.chat(request(), never)).rejects.toMatchObject({
      code: 'TM_MODEL',
      reason: 'server_error',
      retriable: true,
    });
    expect(asked).toHaveLength(3);
  });

  it('a host that hangs is given up in time, and tried again', async () => {
    const { model, models } = opened(['hang', says('late')], { requestTimeoutMs: 30 });
    expect((await model.chat(request(), never)).text).toBe('late');
    expect(models.use()[0]?.failed_by).toEqual({ timeout: 1 });
  });

  it('nobody waits any more: no further try', async () => {
    const stop = new AbortController();
    const { model, asked } = opened(['hang']);
    const reply = model.chat(request(), stop.signal);
    setTimeout(() => stop.abort(), 5);
    await expect(reply).rejects.toMatchObject({ code: 'TM_MODEL' });
    expect(asked).toHaveLength(1);
  });
});

describe('the cache', () => {
  it('answers a request once for each repeat: two repeats are two replies', async () => {
    let n = 0;
    const host = fakeHost(() => says(`reply ${n++}`));
    const { model } = opened([], {}, { fetch: host.fetch, cache: memoryCache() });
    const texts = [];
    for (const repeat of [0, 1, 0, 1]) texts.push((await model.chat(request({ repeat: ['r', repeat] }), never)).text);
    expect(texts).toEqual(['reply 0', 'reply 1', 'reply 0', 'reply 1']);
    expect(host.asked).toHaveLength(2);
  });

  it('equal requests at one time are one call', async () => {
    const { model, asked, models } = opened([says('one')], {}, { cache: memoryCache() });
    const both = await Promise.all([model.chat(request(), never), model.chat(request(), never)]);
    expect([both[0]?.text, both[1]?.text, asked.length, models.use()[0]?.from_cache]).toEqual(['one', 'one', 1, 1]);
  });

  it('a killed run goes on where it was: stored replies are not asked for again, a line cut in two is', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'cache-')), 'replies.jsonl');
    const before = await fileCache(path);
    const first = opened([says('a')], {}, { cache: before });
    await first.model.chat(request({ repeat: ['r', 0] }), never);
    await first.model.chat(request({ repeat: ['r', 1] }), never);
    await before.close();
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.slice(0, -20));
    const cache = await fileCache(path);
    const second = opened([says('b')], {}, { cache });
    const again = [
      await second.model.chat(request({ repeat: ['r', 0] }), never),
      await second.model.chat(request({ repeat: ['r', 1] }), never),
    ];
    expect(again.map((reply) => reply.text)).toEqual(['a', 'b']);
    expect(second.asked).toHaveLength(1);
    await cache.close();
    expect(
      (await readFile(path, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).reply.text),
    ).toEqual(['a', 'b']);
  });

  it('a failed call is not stored', async () => {
    const { model } = opened([{ status: 400 }, says('fine')], {}, { cache: memoryCache() });
    await expect(model.chat(request(), never)).rejects.toMatchObject({ reason: 'bad_request' });
    expect((await model.chat(request(), never)).text).toBe('fine');
  });
});

it('the bound on calls follows what the host bears', async () => {
  const { model, models } = opened([{ status: 429 }, says('ok')], { startConcurrent: 8 });
  await model.chat(request(), never);
  expect(models.use()[0]?.limit).toBe(4);
});

it('one model is one client and one bound, however it is opened; without a name the host is asked', async () => {
  const { fetch, asked } = fakeHost(({ url }) =>
    url.endsWith('/models') ? { status: 200, body: { data: [{ id: 'only' }] } } : says('hi'),
  );
  const models = createModels({}, { env: {}, fetch });
  const model = models.open('http://host:1/v1/');
  expect(models.open('http://host:1/v1')).toBe(model);
  await model.chat(request(), never);
  expect([model.name, asked.at(-1)?.body['model'], asked.length]).toEqual(['only', 'only', 2]);
});

it('a remote host without a key is refused before any call, one with a key gets it', async () => {
  const { fetch, asked } = fakeHost(() => says('hi'));
  expect(() => createModels({}, { env: {}, fetch }).open('openai:gpt')).toThrow(
    expect.objectContaining({ code: 'TM_AUTH', message: expect.stringContaining('OPENAI_API_KEY') }),
  );
  await createModels({}, { env: { OPENAI_API_KEY: 'k1' }, fetch })
    .open('openai:gpt')
    .chat(request(), never);
  expect(asked[0]).toMatchObject({ key: 'Bearer k1', url: 'https://api.openai.com/v1/chat/completions' });
});

it('a call that is given up while it waits to try again throws what its host said', async () => {
  const stop = new AbortController();
  const sleep = (_ms: number, signal: AbortSignal) =>
    new Promise<void>((_done, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason));
      setTimeout(() => stop.abort(), 1);
    });
  const { model } = opened([{ status: 503, body: 'too busy' }], {}, { sleep });
  await expect(model.chat(request(), stop.signal)).rejects.toMatchObject({
    reason: 'server_error',
    message: expect.stringContaining('503'),
  });
});
