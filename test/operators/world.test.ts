import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { currentRollout } from '../../src/agents/current-rollout.ts';
import { rolloutWatch } from '../../src/agents/rollout-watch.ts';
import type { Rejection } from '../../src/core/operator.ts';
import { world } from '../../src/operators/world.ts';
import type { Ask } from '../../src/rows/ask.ts';
import { world as tools } from '../../src/world/world.ts';
import { ask } from '../agents/asks.ts';
import { operatorContract } from '../contract.ts';
import { hotel } from '../world/tools.ts';

operatorContract(world);

const lookUp: Agent = async (_message, { call }) => {
  const { status } = await call('get_booking', { booking_id: 'B-7' });
  return `The answer was ${String(status)}.`;
};

async function play(agent: Agent, asks: readonly Ask[], options: Record<string, unknown> = {}, ports = {}) {
  const rejected: Rejection<unknown>[] = [];
  const operator = world({ tools: hotel, ...options }, { agent, ...ports }, { reject: (one) => rejected.push(one) });
  const rows = await lastValueFrom(from(asks).pipe(operator, toArray()));
  return { rows, rejected };
}

it('the row carries what the ask brought and what the agent did', async () => {
  const brought = ask({
    world_state: 'entity missing',
    stance: 'hurried',
    tone: 'curt',
    opener: 'Hello.',
    campaign: 'spring',
  });
  const { rows } = await play(lookUp, [brought], {
    systemPrompt: 'Be brief.',
    modelVersion: 'm1',
    sampling: { temperature: 1 },
  });
  expect(rows).toEqual([
    expect.objectContaining({
      ...{ scenario_id: 'sc-1', world_state: 'entity missing', stance: 'hurried', tone: 'curt', campaign: 'spring' },
      steps: [
        { tool: 'get_booking', arguments: { booking_id: 'B-7' }, result: { status: 'not_found', missing: ['B-7'] } },
      ],
      final_text: 'The answer was not_found.',
      model_version: 'm1',
      policy_version: expect.stringMatching(/^m1@[0-9a-f]{16}$/),
      sampling: { temperature: 1 },
      lineage: {
        system_prompt_sha: expect.stringMatching(/^[0-9a-f]{16}$/),
        system_prompt_head: 'Be brief.',
        system_prompt_chars: 9,
      },
      reward: null,
    }),
  ]);
  expect(rows[0]?.messages?.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant', 'tool', 'assistant']);
  expect(rows[0]).not.toHaveProperty('ask_id');
});

it('repeats, runs of an evaluation and wordings never share an id', async () => {
  const asks = [
    ask(),
    ask({ rollout_index: 1 }),
    ask({ lineage: { eval_run: 1 } }),
    ask({ lineage: { eval_run: 2 } }),
    ask({ ask_id: 'a2' }),
  ];
  const { rows } = await play(lookUp, asks);
  expect(new Set(rows.map(({ rollout_id }) => rollout_id)).size).toBe(5);
  const { rows: other } = await play(lookUp, [ask()], { systemPrompt: 'Another policy.' });
  expect(other[0]?.rollout_id).not.toBe(rows[0]?.rollout_id);
});

it('the rows do not depend on how many run at once or how long each takes', async () => {
  const asks = Array.from({ length: 24 }, (_, n) => ask({ ask_id: `a${n}`, seed: n % 3 }));
  const slow: Agent = async (message, context) => {
    await new Promise((done) => setTimeout(done, (context.seed * 7) % 5));
    return lookUp(message, context);
  };
  const sorted = async (maxConcurrent: number) => {
    const { rows } = await play(slow, asks, { maxConcurrent });
    return rows.sort((a, b) => (String(a.rollout_id) < String(b.rollout_id) ? -1 : 1));
  };
  expect(await sorted(1)).toEqual(await sorted(16));
});

describe('what is no rollout is rejected with its reason, counted, and never a row', () => {
  it.each<[string, Agent, string]>([
    ['null', () => null, 'agent_error'],
    ['nothing', () => undefined, 'agent_error'],
    ['a chat message', () => ({ role: 'assistant', content: 'hi' }), 'agent_error'],
    ['a number as text', () => ({ final_text: 5 }), 'agent_error'],
    ['steps that are no list', () => ({ steps: 'a' }), 'agent_error'],
    ['an error', () => Promise.reject(new Error('boom')), 'agent_error'],
    [
      'an error at once',
      () => {
        throw new Error('boom');
      },
      'agent_error',
    ],
    ['an empty text', () => ({ final_text: ' ' }), 'empty_reply'],
    ['only thoughts', () => '<think>what now', 'empty_reply'],
    ['raw markup', () => 'Sure <tool_call>{}</tool_call>', 'tool_markup'],
    ['a refused key', () => Promise.reject(new Error('Error code: 401 - Incorrect API key provided')), 'auth'],
  ])('%s', async (_what, agent, reason) => {
    const watch = rolloutWatch();
    const { rows, rejected } = await play(agent, [ask(), ask({ rollout_index: 1 })], {}, { watch });
    expect(rows).toEqual([]);
    expect(rejected.map((one) => one.reason)).toEqual([reason, reason]);
    expect(watch.counts()).toMatchObject({ calls: 2, rows: 0, lost: 2, lost_by: { [reason]: 2 } });
  });
});

it('an agent that hangs is given up, and its signal says so', async () => {
  let isAborted = false;
  const hang: Agent = (_message, { signal }) =>
    new Promise(() => signal.addEventListener('abort', () => (isAborted = true)));
  const { rows, rejected } = await play(hang, [ask()], { timeoutMs: 20 });
  expect([rows.length, rejected[0]?.reason, isAborted]).toEqual([0, 'timeout', true]);
});

it('an unusable rollout is played again, and what failed first is kept', async () => {
  let calls = 0;
  const watch = rolloutWatch();
  const flaky: Agent = () => (calls++ < 2 ? Promise.reject(new Error(`try ${calls}`)) : 'There it is.');
  const { rows, rejected } = await play(flaky, [ask()], { maxTries: 3 }, { watch });
  expect([rows.length, rejected.length]).toEqual([1, 0]);
  expect(watch.counts()).toMatchObject({
    calls: 3,
    rows: 1,
    rerolled: 2,
    lost: 0,
    first_agent_error: expect.stringContaining('try 1'),
  });
});

it('an agent may report its own steps, and JSON text of arguments becomes the object', async () => {
  const steps = [
    { tool: 'get_booking', arguments: '{"booking_id":"B-7"}', result: 'ok' },
    { tool: 'x', arguments: '{"a":' },
    'odd',
  ];
  const { rows } = await play(() => ({ steps, final_text: 'Done.', seeded: [], ended_by: 'user_left' }), [ask()]);
  expect(rows[0]).toMatchObject({
    steps: [
      { tool: 'get_booking', arguments: { booking_id: 'B-7' } },
      { tool: 'x', arguments_raw: '{"a":' },
    ],
    tools_used: ['get_booking', 'x'],
    seeded: [],
    ended_by: 'user_left',
  });
});

it('code below the agent finds the rollout it serves, and world(tools) its faults', async () => {
  const shared = tools(hotel);
  const agent: Agent = async () => {
    await Promise.resolve();
    const { status } = shared.call('get_booking', { booking_id: 'B-7' });
    const rollout = currentRollout();
    return `${String(status)} ${rollout?.prompt} ${rollout?.rolloutIndex}`;
  };
  const { rows } = await play(agent, [ask({ faults: { '*': { mode: 'timeout' } }, rollout_index: 4 })]);
  expect(rows[0]?.final_text).toBe('timeout Please look at booking B-7 for me 4');
  expect(currentRollout()).toBeUndefined();
});

it('real tools act, but scheduled faults come first', async () => {
  const seen: unknown[] = [];
  const execute = (tool: string, args: unknown, rollout: unknown) => {
    seen.push([tool, args, rollout]);
    return tool === 'get_booking' ? 'room 12' : Promise.reject(new Error('no such table'));
  };
  const agent: Agent = async (_message, { call }) => {
    const answers = [
      await call('get_booking', { booking_id: 'B-7' }),
      await call('cancel_booking', {}),
      await call('fly', {}),
    ];
    return JSON.stringify(answers);
  };
  const { rows } = await play(agent, [ask()], {}, { execute });
  expect(JSON.parse(String(rows[0]?.final_text))).toEqual([
    { status: 'ok', result: 'room 12' },
    { status: 'error', reason: 'no such table' },
    { status: 'error', reason: 'unknown_tool', tool: 'fly' },
  ]);
  expect(seen[0]).toEqual(['get_booking', { booking_id: 'B-7' }, { prompt: ask().prompt, rolloutIndex: 0, seed: 0 }]);
  const faulted = await play(lookUp, [ask({ faults: { '*': { mode: 'permission_denied' } } })], {}, { execute });
  expect(faulted.rows[0]?.final_text).toBe('The answer was permission_denied.');
});

it('an agent that speaks once hears all that the person prepared to say', async () => {
  const { rows } = await play((message) => message, [ask({ user_turns: ['And cancel it.'] })]);
  expect(rows[0]?.prompt).toBe('Please look at booking B-7 for me\n\nAnd cancel it.');
});

it('refuses tools that cannot be read when it is built', () => {
  expect(() => world({ tools: [{ description: 'nameless' }] }, { agent: lookUp })).toThrow(
    /tools\[0\]: the tool has no name/,
  );
});
