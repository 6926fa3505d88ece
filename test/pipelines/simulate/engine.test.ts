import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/agents/agent.ts';
import { createModels } from '../../../src/models/models.ts';
import { memoryCache } from '../../../src/models/response-cache.ts';
import type { SimulateOptions } from '../../../src/pipelines/simulate/options.ts';
import { simulate } from '../../../src/pipelines/simulate/simulate.ts';
import { simulateStream } from '../../../src/pipelines/simulate/stream.ts';
import type { Row } from '../../../src/rows/row.ts';
import { hotelPolicy, hotelTools } from '../../grid/agents.ts';
import { type Answer, calls, fakeHost, says } from '../../models/fake-host.ts';

const base = { tools: hotelTools, systemPrompt: hotelPolicy, simulator: false } as const;
const fixed = { mode: 'rl', repeats: 4, repeatPolicy: 'fixed', budget: 120 } as const;
const honest: Agent = async (_message, { call }) =>
  `The booking is ${String((await call('get_booking', { booking_id: 'B1' }))['status'])}.`;
const late: Agent = async (message, context) => {
  await new Promise((done) => setTimeout(done, (message.length * 7 + context.rolloutIndex * 3) % 11));
  return honest(message, context);
};
const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).toSorted();
const noWait = { sleep: async () => {}, env: { OPENAI_API_KEY: 'k' } };

it('gives byte-equal rows at concurrency 1, 8 and 32, with an agent of any latency', async () => {
  const at = async (concurrency: number) =>
    sorted((await simulate({ ...base, ...fixed, agent: late as never, concurrency })).rows);
  const [one, eight, many] = [await at(1), await at(8), await at(32)];
  expect(one.length).toBe(120);
  expect(eight).toEqual(one);
  expect(many).toEqual(one);
});

it('streams the rows that it gathers', async () => {
  const options: SimulateOptions = { ...base, ...fixed, agent: late as never };
  const streamed = await lastValueFrom(simulateStream(options).pipe(toArray()));
  expect(sorted(streamed)).toEqual(sorted((await simulate(options)).rows));
});

it.each([{ grade: true }, { llmGrade: true }, { advanced: { embedder: 'ollama:e' } }] as const)(
  'a stream says that it cannot give what needs all rows: %j',
  async (options) => {
    const rows = simulateStream({ ...base, ...fixed, agent: honest as never, ...options });
    await expect(lastValueFrom(rows)).rejects.toThrow(/simulateStream: (grade|llmGrade|embedder) is added/);
  },
);

it('pinned arms have their shares to within 3 points', async () => {
  const weights = { structured: 0.4, llm_guided: 0.3, open_ended: 0.2, failure_mutation: 0.1 };
  const agent: Agent = async (message, context) => {
    await context.call('get_booking', { booking_id: message.length }); // some are refused: there is always something to bend
    return 'ok then';
  };
  const { rows } = await simulate({
    ...base,
    agent: agent as never,
    mode: 'sft',
    phrasings: 1,
    faultRate: 1,
    budget: 1000,
    armWeights: weights,
  });
  for (const [arm, weight] of Object.entries(weights)) {
    const share = rows.filter((row) => row['arm'] === arm).length / rows.length;
    expect(Math.abs(share - weight), arm).toBeLessThan(0.03);
  }
});

describe('a model host that does what hosts do', () => {
  /** Every way in which a host may answer, the good ones more often. */
  const answers: readonly ((n: number) => Answer)[] = [
    () => says('Your booking B1 is confirmed for Friday.'),
    () => calls('get_booking', '{"booking_id":"B1"}'),
    () => ({ status: 429, headers: { 'retry-after': '2' } }),
    () => says('It is done, the room is yours.'),
    () => ({ status: 500 }),
    () => ({ text: '{"choices": [{"mess' }),
    () => says(''),
    () => 'drop',
    () => 'hang',
    () => says('', { refusal: 'I cannot do that.' }),
    () => calls('get_booking', '{"booking_id":'),
    () => says('All set.'),
  ];
  const run = async (cache = memoryCache()) => {
    const { fetch, asked } = fakeHost((_request, n) => (answers[n % answers.length] ?? (() => says('ok')))(n));
    const models = createModels({ requestTimeoutMs: 50, maxRetries: 8 }, { ...noWait, fetch, cache });
    const result = await simulate(
      { ...base, ...fixed, budget: 40, agent: 'openai:fake', avgTurns: 4, timeout: 20 },
      { models },
    );
    return { ...result, asked: asked.length, cache };
  };

  it('gives correct rows, counts what was lost, and has no row twice', async () => {
    const { rows, coverage, warnings, degraded } = await run();
    expect(rows.length).toBeGreaterThan(30);
    expect(new Set(rows.map(({ rollout_id }) => rollout_id)).size).toBe(rows.length);
    for (const { final_text, messages, reward } of rows) {
      expect(final_text).not.toBe('');
      expect(messages?.length).toBeGreaterThan(1);
      expect(reward).toBeNull();
    }
    if (Number(coverage['rollouts_lost']) > 0) {
      expect(degraded).toContain('rollouts_lost');
      expect(warnings.join()).toContain('lost');
    }
  });

  it('asks nothing twice that was answered: a second run with the replies sends no request', async () => {
    const first = await run();
    const again = await run(first.cache);
    expect(sorted(again.rows)).toEqual(sorted(first.rows));
    expect(again.asked).toBe(0);
  });
});

describe('a model that writes', () => {
  const writing = (write: (cards: readonly { region_id: string; card: string }[]) => string) => {
    const { fetch } = fakeHost(({ body }) => {
      const [system, user] = body['messages'] as { content: string }[];
      if (!system?.content.includes('region_id')) return says('People who book rooms and change their minds.');
      const cards = (user?.content ?? '').split('\n').map((line) => JSON.parse(line));
      return says(write(cards));
    });
    return { models: createModels({}, { ...noWait, fetch }) };
  };

  it('has its asks played, with fences, words and a cut list around them; what it missed the templates write', async () => {
    const ports = writing((cards) => {
      const list = cards.map(({ region_id }) => ({
        region_id,
        message: `I need my room ${region_id} moved to Friday ${region_id}`,
      }));
      return `Here you are:\n\`\`\`json\n${JSON.stringify(list).slice(0, -20)}`;
    });
    const { rows, degraded } = await simulate(
      { ...base, agent: honest as never, simulator: 'openai:w', budget: 30 },
      ports,
    );
    const byModel = rows.filter((row) => row['writer_model'] === 'w');
    expect(byModel.length).toBeGreaterThan(5);
    expect(rows.filter((row) => row['writer_model'] === 'template').length).toBeGreaterThan(0);
    expect(degraded).toContain('generator_fallback');
    for (const row of byModel) if (row['texture'] === 'lowercase') expect(row.prompt).toBe(row.prompt?.toLowerCase());
  });

  it('never has a card quoted, or an assistant speak', async () => {
    const ports = writing((cards) =>
      JSON.stringify(
        cards.map(({ region_id, card }, n) => ({
          region_id,
          message: n % 2 ? card : 'How can I help you today, dear guest?',
        })),
      ),
    );
    const { rows, search } = await simulate(
      { ...base, agent: honest as never, simulator: 'openai:w', budget: 20 },
      ports,
    );
    expect(rows.filter((row) => row['writer_model'] === 'w')).toEqual([]);
    expect(search['writer']).toMatchObject({ dropped: { voice: expect.any(Number), leak: expect.any(Number) } });
  });
});

it('starts from one sentence: tools are drafted, marked, and played with', async () => {
  const drafted = [
    {
      name: 'get_order',
      description: 'Look up an order.',
      parameters: { type: 'object', properties: { id: { type: 'string' } } },
    },
    { name: 'cancel_order', description: 'Cancel an order.', parameters: { type: 'object', properties: {} } },
  ];
  const { fetch } = fakeHost(({ body }) => {
    const [system] = body['messages'] as { content: string }[];
    return says(system?.content.includes('tools (functions)') ? JSON.stringify(drafted) : 'People with orders.');
  });
  const seen = new Set<unknown>();
  const agent: Agent = (_message, { tools }) => {
    for (const tool of tools) seen.add(JSON.stringify([tool.name, tool['drafted']]));
    return 'I see.';
  };
  await simulate(
    { agent: agent as never, systemPrompt: 'You help with orders of a bakery.', simulator: 'openai:w', budget: 10 },
    { models: createModels({}, { ...noWait, fetch }) },
  );
  expect([...seen].toSorted()).toEqual(['["cancel_order",true]', '["get_order",true]']);
});

it('reads an agent off its folder: tools, policy, situations first, word for word', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-spec-'));
  await writeFile(join(folder, 'spec.yaml'), 'system_prompt: Help guests.\nsituations:\n  - Where is my booking?\n');
  await writeFile(join(folder, 'tools.json'), JSON.stringify(hotelTools));
  const { rows } = await simulate({ spec: folder, agent: honest as never, budget: 5, simulator: false });
  expect(rows[0]?.prompt).toBe('Where is my booking?');
  expect(rows.some(({ steps }) => (steps ?? []).some(({ tool }) => tool === 'get_booking'))).toBe(true);
  const ofSentence = await simulate({
    spec: 'Never tell a code.',
    systemPrompt: 'Be kind.',
    tools: hotelTools,
    agent: honest as never,
    budget: 2,
    simulator: false,
  });
  expect(ofSentence.rows[0]?.lineage).toMatchObject({ system_prompt_head: 'Never tell a code.\n\nBe kind.' });
  await expect(simulate({ spec: join(folder, 'none'), agent: honest as never })).rejects.toMatchObject({
    code: 'TM_OPTIONS',
  });
});

it('writes rows, progress and settings, and goes on from a checkpoint without playing a row again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-out-'));
  const path = join(folder, 'run.jsonl');
  let played = 0;
  const counted: Agent = (message, context) => {
    played++;
    return honest(message, context);
  };
  const options = {
    ...base,
    ...fixed,
    agent: Object.assign(counted, { modelVersion: 'm' }) as never,
    checkpoint: path,
  };
  const whole = await simulate(options);
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  expect(lines.length).toBe(120);
  await writeFile(path, `${lines.slice(0, 50).join('\n')}\n`); // as a killed run leaves it
  played = 0;
  const resumed = await simulate(options);
  expect(played).toBe(70);
  expect(resumed.rows.map(({ rollout_id }) => rollout_id)).toEqual(whole.rows.map(({ rollout_id }) => rollout_id));
  expect(JSON.parse(await readFile(`${path}.progress.json`, 'utf8'))).toMatchObject({
    ...{ stage: 'stopped', rows: 120, resumed: 50, inflight: 0, unused: 0, first_row_s: expect.any(Number) },
    writers: { model: 'template' },
    search: { situations: whole.coverage['n_situations'], arm_weights: expect.any(Object) },
  });
  const meta = JSON.parse(await readFile(join(folder, 'run.meta.json'), 'utf8'));
  expect(meta).toMatchObject({
    ...{ budget: 120, writer_model: 'template', user_model: null, judge_model: null, rows_by_minute: [70] },
    timings: { total_s: expect.any(Number), rollout_s: expect.any(Number) },
    ...{ arm_yield: expect.any(Object), stages: ['world'], warning_codes: expect.any(Array) },
  });
  expect(Object.values(meta.system_prompts)).toEqual([hotelPolicy]);
  const { fraction } = whole.coverage.pairwise;
  expect(meta.coverage_curve.map((one: { n_rows: number }) => one.n_rows)).toEqual([1, 2, 4, 8, 16, 32, 64, 120]);
  expect(meta.coverage_curve.at(-1)).toMatchObject({ fraction });
});

it('no agent at all is refused with the choices', async () => {
  await expect(simulate({ ...base })).rejects.toThrow(/ollama:<model>.*anthropic:<model>.*seededAgent/);
});

it('a budget of 3,000 in explore gives 3,000 distinct asks', async () => {
  const quick: Agent = () => 'Done, thank you.';
  const { rows } = await simulate({ ...base, agent: quick as never, budget: 3000 });
  expect(new Set(rows.map(({ prompt }) => prompt)).size).toBe(3000);
});
