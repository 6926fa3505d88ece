import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { agentFrom } from '../../src/agents/agent-from.ts';
import { modelAgent } from '../../src/agents/model-agent.ts';
import { modelUser } from '../../src/agents/model-user.ts';
import { type SimulatedUser, scriptedUser } from '../../src/agents/simulated-user.ts';
import type { Rejection } from '../../src/core/operator.ts';
import type { ChatReply, ChatRequest } from '../../src/models/chat-model.ts';
import { createModels } from '../../src/models/models.ts';
import { memoryCache } from '../../src/models/response-cache.ts';
import { type ScriptedReply, scriptedModel } from '../../src/models/scripted-model.ts';
import { world } from '../../src/operators/world.ts';
import type { Ask } from '../../src/rows/ask.ts';
import type { Message } from '../../src/rows/conversation.ts';
import { calls, fakeHost, says } from '../models/fake-host.ts';
import { hotel } from '../world/tools.ts';
import { ask } from './asks.ts';

const call = (
  name: string,
  args: Record<string, unknown> | undefined,
  more: Partial<ChatReply> = {},
): ScriptedReply => ({
  calls: [{ id: 'c1', name, arguments: args, raw: args ? JSON.stringify(args) : '{"broken": ' }],
  ...more,
});
const lookUp = call('get_booking', { booking_id: 'B-7' });

interface Setting {
  readonly options?: Parameters<typeof modelAgent>[1];
  readonly user?: (ask: Ask) => SimulatedUser;
  readonly asks?: readonly Ask[];
  readonly systemPrompt?: string;
}

/** Play asks with a model that answers by a script; its requests are kept. */
async function talk(
  script: readonly ScriptedReply[],
  { options, user, asks = [ask()], systemPrompt = 'Be brief.' }: Setting = {},
) {
  const requests: ChatRequest[] = [];
  const model = scriptedModel((request, n) => {
    requests.push({ ...request, messages: [...request.messages] });
    return script[Math.min(n, script.length - 1)] ?? '';
  });
  const rejected: Rejection<unknown>[] = [];
  const ports = { agent: modelAgent(model, options), ...(user ? { user } : {}) };
  const operator = world({ tools: hotel, systemPrompt }, ports, { reject: (one) => rejected.push(one) });
  const rows = await lastValueFrom(from(asks).pipe(operator, toArray()));
  return { row: rows[0], rows, rejected, requests };
}
const person =
  (answer: (transcript: readonly Message[], n: number) => string | undefined): (() => SimulatedUser) =>
  () => {
    let n = 0;
    return {
      model: 'p',
      pending: 0,
      async next(transcript) {
        const text = answer(transcript, n++);
        return text === undefined ? { left: true } : { text };
      },
    };
  };

it('calls tools, hears their results, and speaks; steps carry what it cost', async () => {
  const facts = { usage: { input_tokens: 9, output_tokens: 4 }, tokenLogprobs: [-0.5, -0.5], model: 'm-2024' };
  const script = [
    call('get_booking', { booking_id: 'B-7' }, { ...facts, text: '<think>hm</think>I look it up.' }),
    { ...facts, text: '<think>so</think>It is open.' },
  ];
  const { row, requests } = await talk(script, {
    options: { logprobs: 'tokens', scaffold: 'Use tools.', temperature: 0.1, agentMaxTokens: 99 },
    asks: [ask({ world_state: 'entity exists', opener: 'Hello, hotel here.' })],
  });
  expect(row).toMatchObject({
    steps: [
      {
        tool: 'get_booking',
        arguments: { booking_id: 'B-7' },
        result: { status: 'ok' },
        text: 'I look it up.',
        id: 'c1',
        logprob: -1,
        n_tokens: 2,
      },
      { text: 'It is open.', input_tokens: 9, output_tokens: 4 },
    ],
    ...{
      final_text: 'It is open.',
      finish_reason: 'stop',
      logprob: -2,
      n_tokens: 4,
      token_logprobs: [-0.5, -0.5, -0.5, -0.5],
    },
    ...{
      usage: { input_tokens: 18, output_tokens: 8 },
      model_version: 'm-2024',
      user_model: null,
      opener: 'Hello, hotel here.',
    },
    sampling: { temperature: 0.1, max_tokens: 99, model: 'scripted' },
  });
  expect(row?.policy_version).toMatch(/^m-2024@/);
  expect(requests[0]).toMatchObject({ temperature: 0.1, maxTokens: 99, logprobs: true });
  expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'assistant', 'user', 'assistant', 'tool']);
  expect(requests[0]?.messages[0]?.content).toBe('Be brief.\n\nUse tools.');
  expect(row?.lineage?.['system_prompt_head']).toBe('Be brief.');
});

it('arguments that are no JSON are refused by the world and kept raw', async () => {
  const { row } = await talk([call('get_booking', undefined), 'I could not read it.']);
  expect(row?.steps?.[0]).toMatchObject({
    arguments_raw: '{"broken": ',
    result: { status: 'rejected', reason: 'invalid_argument' },
  });
  expect(row?.steps?.[0]).not.toHaveProperty('arguments');
});

it('a model that only calls has to speak before its turns are used up', async () => {
  const { row, requests } = await talk([lookUp, lookUp, lookUp, lookUp, 'There it is.'], {
    options: { avgTurns: 12, maxTurns: 6 },
  });
  expect(row?.final_text).toBe('There it is.');
  expect(requests.at(-1)?.toolChoice).toBe('none');
  const endless = await talk([lookUp], { options: { maxTurns: 6 } });
  expect([endless.rows, endless.rejected[0]?.reason]).toEqual([[], 'empty_reply']);
});

it('a reply that the token cap cut is flagged', async () => {
  const { row } = await talk([{ text: 'It goes on and', finish: 'length' }]);
  expect(row).toMatchObject({ finish_reason: 'length', steps: [{ text: 'It goes on and', truncated: true }] });
});

describe('the person', () => {
  it('says prepared words one a turn, then the model of the person goes on', async () => {
    const { row } = await talk(['Which one?', 'Noted.', 'Done.'], { asks: [ask({ user_turns: ['B-7', 'And B-8'] })] });
    expect(row?.steps).toEqual([
      { text: 'Which one?' },
      { user: 'B-7' },
      { text: 'Noted.' },
      { user: 'And B-8' },
      { text: 'Done.' },
    ]);
    expect(row?.messages?.at(-1)).toEqual({ role: 'assistant', content: 'Done.' });
  });

  it('answers questions while it bears them, and leaves', async () => {
    const asks = Array.from({ length: 40 }, (_, n) => ask({ ask_id: `a${n}` }));
    const user = person((_transcript, n) => `It is number ${n}.`);
    const ends = async (patience: 'short' | 'endless') => {
      const { rows } = await talk(['Which one?'], { user, asks, options: { patience, avgTurns: 12 } });
      return rows.map((row) => ({ turns: row.steps?.filter((step) => step['user']).length ?? 0, by: row['ended_by'] }));
    };
    const [short, endless] = [await ends('short'), await ends('endless')];
    const mean = (list: readonly { turns: number }[]) => list.reduce((sum, { turns }) => sum + turns, 0) / list.length;
    expect(short.every(({ turns }) => turns >= 1)).toBe(true); // the first question is always tried
    expect(short.filter(({ by }) => by === 'user_left').length).toBeGreaterThan(20);
    expect(endless.some(({ by }) => by === 'user_left')).toBe(false);
    expect(mean(endless)).toBeGreaterThan(mean(short) + 1);
  });

  it('after a yes the agent gets its turn, however few turns are left', async () => {
    const user = person((_transcript, n) => (n === 0 ? 'Yes, go ahead.' : undefined));
    const script = ['Shall I cancel B-7?', call('cancel_booking', { booking_id: 'B-7' }), 'It is cancelled.'];
    const { row } = await talk(script, {
      user,
      asks: [ask({ world_state: 'entity exists' })],
      options: { patience: 'endless' },
    });
    expect(row?.steps?.map((step) => Object.keys(step)[0])).toEqual(['text', 'user', 'tool', 'text']);
    expect(row).not.toHaveProperty('user_error');
  });

  it('who agrees and then leaves before the act is done is the one who erred', async () => {
    const user = person((_transcript, n) => (n === 0 ? 'Yes, go ahead.' : undefined));
    const { row } = await talk(['Shall I?', 'Are you sure?'], { user, options: { patience: 'endless' } });
    expect(row).toMatchObject({ ended_by: 'user_left', user_error: true });
  });

  it('speaks at least as often as asked', async () => {
    const user = person((_transcript, n) => `More ${n}.`);
    const { row } = await talk(['Noted.'], { user, options: { minUserTurns: 4, avgTurns: 3 } });
    expect(row?.steps?.filter((step) => step['user']).length).toBeGreaterThanOrEqual(3);
  });
});

describe('a model that plays the person', () => {
  const heard: Message[] = [
    { role: 'user', content: 'Where is my booking B-7?' },
    { role: 'assistant', content: 'Which hotel is the booking in, please?' },
  ];
  const never = new AbortController().signal;
  const next = (answers: readonly string[], transcript = heard) => {
    const model = scriptedModel((_request, n) => answers[n] ?? '');
    return modelUser({ model, ask: ask({ tone: 'curt' }), tools: [] }).next(transcript, never);
  };

  it.each<[string, readonly string[], unknown]>([
    ['an answer', ['In the Sea View.'], { text: 'In the Sea View.' }],
    ['a label before it', ['User: In the Sea View.'], { text: 'In the Sea View.' }],
    ['a thought before it', ['<think>well</think>Sea View'], { text: 'Sea View' }],
    ['thanks, then an answer', ['Thanks a lot!', 'Sea View'], { text: 'Sea View' }],
    ['an echo of the agent', ['Which hotel is the booking in?', 'Sea View'], { text: 'Sea View' }],
    ['a repeat of itself', ['Where is my booking B-7', 'Sea View'], { text: 'Sea View' }],
    ['data and call syntax', ['{"a": 1}', 'get_booking("B-7")'], { left: true }],
    ['a yes and a farewell in one breath', ['Yes, go ahead. STOP'], { text: 'Yes, go ahead.' }],
    ['nothing left', ['STOP', 'STOP'], { left: true }],
  ])('%s', async (_what, answers, turn) => {
    expect(await next(answers)).toEqual(turn);
  });

  it('without a question it gets one try', async () => {
    const stated: Message[] = [{ role: 'assistant', content: 'It is open.' }];
    expect(await next(['Thanks!', 'Cancel it.'], stated)).toEqual({ left: true });
  });

  it('a script comes first and counts what is left to say', async () => {
    const user = scriptedUser(['one'], scriptedUser(['two']));
    expect([user.pending, await user.next([], never), user.pending]).toEqual([2, { text: 'one' }, 1]);
    expect([await user.next([], never), await user.next([], never)]).toEqual([{ text: 'two' }, { left: true }]);
  });
});

describe('an agent by its name', () => {
  const choice = { tools: hotel, models: createModels({}, { env: {}, fetch: fakeHost(() => says('hi')).fetch }) };

  it('a function plays as it is, a model talks with a person, a URL alone', async () => {
    const own = () => 'hi';
    expect(await agentFrom(own, choice)).toEqual({ agent: own, user: undefined });
    const model = await agentFrom('vllm:m@http://h:1/v1', choice);
    expect([model.agent.modelVersion, model.agent.userModel, model.user?.(ask()).model]).toEqual(['m', 'm', 'm']);
    const url = await agentFrom('http://h:1/v1#m', choice);
    expect([url.user, url.agent.sampling]).toEqual([undefined, { temperature: 0.3, max_tokens: 1024, model: 'm' }]);
  });

  it.each([
    [undefined, choice, 'give a function'],
    ['gpt-4', choice, 'neither a module path nor a model'],
    ['./gone.mjs', choice, 'there is no file'],
    ['http://h:1/v1', { ...choice, tools: [] }, 'needs tools'],
  ])('%j is refused', async (given, how, message) => {
    await expect(agentFrom(given, how)).rejects.toThrow(message);
  });
});

it('a run that was killed is played again from its stored replies, without a call', async () => {
  let n = 0;
  const host = fakeHost(() => (n++ % 2 === 0 ? calls('get_booking', '{"booking_id":"B-7"}') : says(`Reply ${n}.`)));
  const cache = memoryCache();
  const play = async () => {
    const models = createModels({}, { env: {}, fetch: host.fetch, cache });
    const { agent } = await agentFrom('http://h:1/v1#m', { tools: hotel, models });
    const asks = [ask(), ask({ rollout_index: 1 })];
    return lastValueFrom(from(asks).pipe(world({ tools: hotel, maxConcurrent: 1 }, { agent }), toArray()));
  };
  const first = await play();
  expect(new Set(first.map(({ final_text }) => final_text)).size).toBe(2); // repeats are two replies
  const asked = host.asked.length;
  expect(await play()).toEqual(first);
  expect(host.asked).toHaveLength(asked);
});
