import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { RewardBatch } from '../../src/pipelines/score-holdout.ts';
import { trainingMonitor } from '../../src/pipelines/training-monitor.ts';
import type { MonitorAnswer } from '../../src/reports/monitor/hack-monitor.ts';
import type { Alarm } from '../../src/rows/alarm.ts';
import { webhook } from '../../src/server/monitor/webhook.ts';
import { trainingRun } from '../../src/sinks/training-run.ts';

const holdout = Array.from({ length: 6 }, (_, n) => ({ prompt: `Where is order ${n}?`, answer: `day ${n}` }));
/** A policy that learns to say what the reward pays for. */
const policy = { says: 'Monday.' };
const sample = (prompts: readonly unknown[], { n }: { readonly n: number }) =>
  prompts.map(() => Array.from({ length: n }, () => policy.says));
/** Pays for a word, whatever the answer is. */
function keenness({ completions }: RewardBatch): number[] {
  return completions.map((text) => Number(String(text).includes('sure')));
}
const rule = { divergenceRule: 'threshold', every: 5, k: 2 } as const;

it('watches a run in its own process: wrapped rewards are as they were, and what stops it is said', async () => {
  const told: Alarm[] = [];
  const seen: unknown[] = [];
  const monitor = trainingMonitor(
    'grpo-7',
    {
      holdout,
      sample,
      gold: (row) => {
        seen.push(row['answer']);
        return Number(row.final_text === row['answer']);
      },
      onAlarm: (alarm) => told.push(alarm),
    },
    { ...rule, stopOn: ['divergence'] },
  );
  const reward = monitor.wrap(keenness);
  expect([reward.name, reward({ prompts: ['p'], completions: ['sure'] })]).toEqual(['keenness', [1]]);
  policy.says = 'Monday.';
  expect(await monitor.evaluate(0)).toBeNull();
  policy.says = 'I am sure of it!';
  expect(await monitor.stepEnd(4)).toBeNull(); // not due
  monitor.log(5, { 'objective/kl': 2 });
  const stop = await monitor.stepEnd(5);
  expect(stop).toMatchObject({ kind: 'divergence', step: 5, run_id: 'grpo-7', proxy_gain: 1, gold_delta: 0 });
  expect(told.map(({ kind }) => kind)).toEqual(['divergence', 'length']);
  expect(await monitor.stepEnd(6)).toEqual(stop); // told from then on
  expect(monitor.summary()).toMatchObject({ n_evals: 2, buffer_size: 1, stopped_at: { step: 5 } });
  expect(monitor.summary().history[1]).toMatchObject({ step: 5, n: 12, proxy: 1, gold: 0, kl: 2 });
  expect(new Set(seen)).toEqual(new Set(holdout.map(({ answer }) => answer))); // the columns of the asks
});

it('awaits a reward that promises, keeps rewards apart by name, and sees the tools of a completion', async () => {
  const monitor = trainingMonitor('a', { holdout, sample }, { ...rule, endorsed: ['tool:lookup'], scanMin: 4 });
  const call = { function: { name: 'lookup_order', arguments: '{}' } };
  const batch = (n: number) => ({
    prompts: Array.from({ length: n }, () => 'Where is it?'),
    completions: Array.from({ length: n }, (_, at) => [
      { role: 'assistant', content: `It is ${at}.`, ...(at % 2 === 0 && { tool_calls: [call] }) },
    ]),
  });
  async function pays({ completions }: RewardBatch): Promise<readonly unknown[]> {
    return completions.map((_, at) => (at === 1 ? 'no number' : Number(at % 2 === 0)));
  }
  const other = monitor.wrap(keenness);
  const reward = monitor.wrap(pays);
  expect(await reward(batch(60))).toHaveLength(60);
  other(batch(3));
  expect(monitor.summary().buffer_size).toBe(62); // what has no number is not kept
  await monitor.evaluate(0);
  const { last_scan, notices } = monitor.summary();
  expect(last_scan).toMatchObject({
    reward_name: 'pays',
    top_feature: expect.stringMatching(/lookup_order|tool_calls/),
  });
  expect(notices.filter(({ what }) => what === 'endorsed')).toEqual([]);
});

it('never ends a run: what throws in it is counted, and a reward that throws throws what it threw', async () => {
  const warned: string[] = [];
  const monitor = trainingMonitor(
    'a',
    {
      holdout,
      sample: () => {
        throw new Error('no GPU');
      },
      onAlarm: () => {
        throw new Error('a callback');
      },
      warn: (sentence) => {
        warned.push(sentence);
        throw new Error('and nobody listens');
      },
    },
    rule,
  );
  expect(await monitor.evaluate(0)).toBeNull(); // no proxy yet
  const reward = monitor.wrap((batch: RewardBatch) => {
    if (batch.completions.length === 0) throw new RangeError('its own');
    return undefined as unknown as number[]; // a reward that forgets to answer
  });
  expect(() => reward({ prompts: [], completions: [] })).toThrow(RangeError);
  expect(reward({ prompts: ['a'], completions: ['b'] })).toBeUndefined();
  expect(await monitor.stepEnd(5)).toBeNull();
  await monitor.end();
  expect([monitor.errors(), warned.map((one) => one.match(/no proxy|scored batch|no GPU/)?.[0])]).toEqual([
    3,
    ['no proxy', 'scored batch', 'no GPU'],
  ]);
  expect(() => trainingMonitor('a', { holdout: [{ prompt: '' }], sample })).toThrow('the holdout has no ask');
});

it('goes on where an earlier process was told, and raises nothing twice', async () => {
  const earlier: MonitorAnswer[] = [];
  const keep = {
    onHistory: (one: MonitorAnswer) => earlier.push(one),
    onAlarm: (one: MonitorAnswer) => earlier.push(one),
  };
  const ports = { holdout, sample, proxy: keenness, gold: () => 0, ...keep };
  policy.says = 'Monday.';
  await trainingMonitor('a', ports, rule).evaluate(0);
  policy.says = 'sure.';
  const again = trainingMonitor('a', { ...ports, earlier: JSON.parse(JSON.stringify(earlier)) }, rule);
  await again.evaluate(0); // the trainer begins at its last step again
  expect(earlier).toHaveLength(1);
  await again.evaluate(5);
  expect(earlier.map(({ type, step }) => [type, step])).toEqual([
    ['history', 0],
    ['history', 5],
    ['alarm', 5],
  ]);
});

it('reports to its run: curves, the summary, and that it was stopped', async () => {
  const calls: { readonly path: string; readonly body: object }[] = [];
  const run = trainingRun('r', { call: async (call) => void calls.push(call) }, { flushEvery: 1 });
  policy.says = 'Monday.';
  const monitor = trainingMonitor(
    'r',
    { holdout, sample, proxy: keenness, gold: () => 0, run },
    { ...rule, stopOn: ['any'] },
  );
  await monitor.evaluate(0);
  policy.says = 'sure..';
  await monitor.stepEnd(5);
  await monitor.end();
  const point = { step: 5, proxy_reward: 1, gold_reward: 0, holdout_length: 6, alarm_divergence: 1 };
  expect(calls.filter(({ path }) => path.endsWith('log'))[1]?.body).toMatchObject({ points: [point] });
  expect(calls.at(-1)).toMatchObject({
    path: '/runs/r/finish',
    body: {
      status: 'stopped',
      error: expect.stringContaining('stopped by divergence at step 5'),
      summary: { hack_monitor: { n_evals: 2, stopped_at: { kind: 'divergence' } } },
    },
  });
});

it('an alarm of this process reaches a webhook', async () => {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (piece) => got.push(String(piece)));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alarms`;
  const hook = webhook({ url, secret: 'a secret of this test', allowPrivate: true }, { clock: Date.now });
  const monitor = trainingMonitor('a', { holdout, sample, proxy: keenness, onAlarm: hook.send }, { klBudget: 1 });
  monitor.log(0, { kl: 3 });
  await monitor.evaluate(0);
  await hook.idle();
  expect(got.map((body) => JSON.parse(body).kind)).toEqual(['drift']);
});
