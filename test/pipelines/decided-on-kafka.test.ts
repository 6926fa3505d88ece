import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { idOf } from '../../src/core/ids.ts';
import { heardSinks } from '../../src/pipelines/hear.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { runOnKafka } from '../../src/pipelines/run-on-kafka.ts';
import { simulatePipeline } from '../../src/pipelines/simulate-stages.ts';
import type { Row } from '../../src/rows/row.ts';
import { hotelPolicy, hotelTools } from '../grid/agents.ts';
import { memorySink, rejectedSink } from '../memory.ts';
import { memoryBroker } from '../sources/memory-broker.ts';

const options = { tools: [...hotelTools], systemPrompt: hotelPolicy, mode: 'rl', repeats: 4, budget: 60 } as const;
const decides = { ...options, repeatPolicy: 'successive' } as const;

/** Passes or fails by ask and repeat alone, slowly or not; some asks it cannot answer at all. */
const agent =
  (slow = 0, played: string[] = []): Agent =>
  async (message, { rolloutIndex, call }) => {
    played.push(`${message}#${rolloutIndex}`);
    if (slow > 0) await new Promise((done) => setTimeout(done, (message.length + rolloutIndex) % slow));
    if (idOf([message]).endsWith('7')) throw new Error('this one breaks me');
    await call('get_booking', { booking_id: 'B1' });
    return `Answer ${message.length} ${rolloutIndex}.`;
  };
const judge = ({ prompt, rollout_index }: Row) =>
  idOf([prompt]) < '6' ? 1 : Number.parseInt(idOf([prompt, rollout_index], 2), 16) % 2;
const names = (rows: readonly Row[]) =>
  rows.map(({ prompt, rollout_index }) => `${prompt}#${rollout_index}`).toSorted();

async function inOneProcess() {
  const opened = simulatePipeline.open(decides, { agent: agent(), judge });
  const graded = memorySink<Row>();
  const { stages, source, feedback } = opened;
  if (!source || !feedback) throw new Error('it decides nothing');
  const ends = heardSinks(feedback, { graded: graded as never }, rejectedSink() as never);
  await lastValueFrom(inMemory(stages, { source, ...ends, maxInFlight: 16 }), { defaultValue: undefined });
  return graded.rows;
}

function scene() {
  const broker = memoryBroker();
  const run = (played: string[], stop = new AbortController(), onRow = (_rows: number) => {}) => {
    const graded = memorySink<Row>();
    const opened = simulatePipeline.open(decides, { agent: agent(5, played), judge });
    const write = graded.write;
    const counted = {
      ...graded,
      async write(rows: readonly Row[]) {
        await write(rows);
        onRow(graded.rows.length);
      },
    };
    const ended = runOnKafka(opened, {
      bus: broker.bus,
      prefix: 'p',
      partitions: 2,
      stop: stop.signal,
      sinks: { graded: counted as never },
    });
    return { ended, graded };
  };
  const asks = () => broker.records('p.asks.v1').map(({ value }) => JSON.parse(String(value)));
  return { run, asks };
}

it('spends repeats on verdicts over topics as it does in one process, lost rollouts included', async () => {
  const expected = names(await inOneProcess());
  expect(expected.length).toBeGreaterThan(50);
  const { run, asks } = scene();
  const { ended, graded } = run([]);
  expect(await ended).toBe('done');
  expect(names(graded.rows)).toEqual(expected);
  const repeats = (prompt: unknown) => graded.rows.filter((row) => row.prompt === prompt).length;
  expect(new Set(graded.rows.map(({ prompt }) => repeats(prompt))).size).toBeGreaterThan(1); // some stop early
  const given = asks().map(({ ask_id, rollout_index }) => `${ask_id}#${rollout_index}`);
  expect(new Set(given).size).toBe(given.length);
});

it('stopped in the middle and started again, it repeats no assignment and loses none', async () => {
  const whole = scene();
  const straight = whole.run([]);
  await straight.ended;
  const { run, asks } = scene();
  const played: string[] = [];
  for (const at of [5, 12, 25]) {
    const stop = new AbortController();
    await run(played, stop, (rows) => rows >= at - 4 && stop.abort()).ended;
  }
  await run(played).ended;
  const key = (one: { ask_id: string; rollout_index: number }) => `${one.ask_id}#${one.rollout_index}`;
  expect(asks().map(key).toSorted()).toEqual(whole.asks().map(key).toSorted());
  expect(new Set(asks().map(key)).size).toBe(asks().length);
});

it('goes on when a rollout is too large for its topic', async () => {
  const broker = memoryBroker();
  const graded = memorySink<Row>();
  const said = (message: string) => (idOf([message]).endsWith('7') ? 'x'.repeat(8_100_000) : 'short');
  const run = runOnKafka(
    simulatePipeline.open({ ...decides, budget: 20 }, { agent: async (one) => said(one), judge }),
    {
      bus: broker.bus,
      prefix: 'p',
      partitions: 1,
      stop: new AbortController().signal,
      sinks: { graded: graded as never },
    },
  );
  expect(await run).toBe('done');
  const letters = broker.records('p.asks.v1.dlq');
  expect(letters.length).toBeGreaterThan(0);
  for (const { value } of letters) expect(idOf([JSON.parse(String(value)).prompt])).toMatch(/7$/);
  expect(graded.rows.every(({ final_text }) => final_text === 'short')).toBe(true);
});
