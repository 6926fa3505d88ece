import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runRecordSchema } from '../../src/rows/run-record.ts';
import { workerFiguresSchema } from '../../src/rows/worker-figures.ts';
import { kafkaDeadLetters } from '../../src/sinks/kafka-dead-letters.ts';
import { kafkaBus } from '../../src/sources/kafka-bus.ts';
import { startBroker } from './broker.ts';
import { buildProgram } from './build-program.ts';
import { readAll } from './topic-reader.ts';

let broker: Awaited<ReturnType<typeof startBroker>>;
let folder = '';
const program = buildProgram(new URL('../../src/cli/main.ts', import.meta.url));
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  broker = await startBroker();
  folder = await mkdtemp(join(tmpdir(), 'tracemill-run-'));
  await writeFile(
    at('judge.mjs'),
    `export default async ({ final_text }) => {
       await new Promise((resolve) => setTimeout(resolve, 5));
       return final_text.length % 2;
     };`,
  );
  const rows = Array.from({ length: 600 }, (_, n) => ({
    scenario_id: `s${n % 75}`,
    rollout_id: `r${n}`,
    rollout_index: Math.floor(n / 75),
    prompt: `p${n % 75}`,
    steps: [],
    final_text: 'é'.repeat(n % 13),
  }));
  await writeFile(at('rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(
    at('tools.json'),
    JSON.stringify([{ name: 'get_order', parameters: { type: 'object', properties: {} } }]),
  );
}, 180_000);
afterAll(() => broker.stop(), 60_000);

function start(...argv: string[]) {
  const child = spawn(process.execPath, [program, ...argv], { stdio: 'pipe' });
  const [out, said]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (data: Buffer) => out.push(data));
  child.stderr.on('data', (data: Buffer) => said.push(data));
  const text = (parts: Buffer[]) => Buffer.concat(parts).toString();
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, out: text(out), said: text(said) }));
  return { child, ended, said: () => text(said) };
}
const call = (...argv: string[]) => start(...argv).ended;

/** One config; only the folder that it writes to differs. */
async function config(name: string, pipeline: object): Promise<string> {
  const kafka = { brokers: [broker.address], sessionTimeoutMs: 6000, partitions: 4 };
  await writeFile(at(`${name}.yaml`), JSON.stringify({ ...pipeline, out: `${name}/rows.jsonl`, kafka }));
  return at(`${name}.yaml`);
}
const sorted = async (name: string) =>
  (await readFile(at(`${name}/rows.jsonl`), 'utf8')).split('\n').toSorted().join('\n');

const pipelines = {
  evaluate: { pipeline: 'evaluate', in: 'rows.jsonl', judge: './judge.mjs', options: { maxConcurrent: 16 } },
  simulate: {
    pipeline: 'simulate',
    agent: 'seeded',
    judge: './judge.mjs',
    tools: 'tools.json',
    options: { mode: 'rl', repeats: 4, repeatPolicy: 'fixed', budget: 80, seed: 7 },
  },
  decided: {
    pipeline: 'simulate',
    agent: 'seeded',
    judge: './judge.mjs',
    tools: 'tools.json',
    options: { mode: 'rl', repeats: 4, repeatPolicy: 'successive', budget: 80, seed: 7 },
  },
};

it.each(Object.entries(pipelines))(
  '%s gives the same bytes, sorted, in memory, on Kafka in one process, and in four',
  async (name, one) => {
    for (const [where, flags] of [
      [`${name}-memory`, []],
      [`${name}-one`, ['--bus', 'kafka']],
      [`${name}-four`, ['--bus', 'kafka', '--workers', '4']],
    ] as const)
      expect(await call('run', '--config', await config(where, one), '--prefix', where, ...flags)).toMatchObject({
        code: 0,
      });
    const memory = await sorted(`${name}-memory`);
    expect(memory.split('\n')).toHaveLength(name === 'evaluate' ? 601 : 81);
    expect(await sorted(`${name}-one`)).toBe(memory);
    expect(await sorted(`${name}-four`)).toBe(memory);
  },
  600_000,
);

it('a run says on topics what it was made with, what its processes do, and how they ended', async () => {
  const bus = kafkaBus({ brokers: [broker.address] });
  const runs = await readAll(bus, 'evaluate-four.runs.v1');
  const rows = runs.map(({ key, value }) => ({ key, ...runRecordSchema.parse(JSON.parse(String(value))) }));
  expect(rows.map(({ state }) => state)).toEqual(['running', 'done']);
  expect(rows[1]).toMatchObject({ key: rows[0]?.run_id, pipeline: 'evaluate', started_at: rows[0]?.started_at });
  const figures = (await readAll(bus, 'evaluate-four.metrics.v1')).map(({ value }) =>
    workerFiguresSchema.parse(JSON.parse(String(value))),
  );
  const last = new Map(figures.map((one) => [one.worker, one]));
  expect([...last.values()].map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'stopped')); // and who supervised
  const judged = [...last.values()]
    .flatMap(({ operators }) => operators)
    .filter(({ operator }) => operator === 'judge');
  expect(judged.reduce((sum, { out }) => sum + out, 0)).toBeGreaterThanOrEqual(600);
}, 60_000);

it('--transactional gives the same rows, and each once on every topic', async () => {
  const file = await config('transactional', pipelines.evaluate);
  const argv = ['--prefix', 'transactional', '--bus', 'kafka', '--workers', '2', '--transactional'];
  expect(await call('run', '--config', file, ...argv)).toMatchObject({ code: 0 });
  expect(await sorted('transactional')).toBe(await sorted('evaluate-memory'));
  const graded = await readAll(kafkaBus({ brokers: [broker.address] }), 'transactional.graded.v1');
  expect(graded).toHaveLength(600);
  expect(new Set(graded.map(({ headers }) => String(headers['tm-id']))).size).toBe(600);
}, 300_000);

it('SIGTERM ends a run and its workers with 0 in the middle, and the same command then loses and doubles nothing', async () => {
  const file = await config('stopped', pipelines.evaluate);
  const argv = ['run', '--config', file, '--prefix', 'stopped', '--bus', 'kafka', '--workers', '2'];
  const first = start(...argv);
  const written = async () => (await readFile(at('stopped/rows.jsonl'), 'utf8').catch(() => '')).split('\n').length - 1;
  while ((await written()) < 40) await sleep(50);
  first.child.kill('SIGTERM');
  const { code, said } = await first.ended;
  expect([code, said]).toEqual([0, expect.stringMatching(/\[worker 2\] Stopped in order[\s\S]*\nStopped in order/)]);
  expect(await call(...argv)).toMatchObject({ code: 0 });
  await call('run', '--config', await config('whole', pipelines.evaluate));
  expect(await sorted('stopped')).toBe(await sorted('whole'));
}, 600_000);

it('repeats decided by verdicts: killed in the middle with its workers away, the run goes on and repeats no assignment', async () => {
  const small = { ...pipelines.decided, options: { ...pipelines.decided.options, budget: 32 } };
  const file = await config('killed', small);
  const argv = ['run', '--config', file, '--prefix', 'killed', '--bus', 'kafka', '--workers', '2'];
  const written = async () => (await readFile(at('killed/rows.jsonl'), 'utf8').catch(() => '')).split('\n').length - 1;
  const { child, ended } = start(...argv);
  while ((await written()) < 8 && child.exitCode === null) await sleep(20);
  child.kill('SIGKILL');
  expect((await ended).code).toBeNull();
  expect(await call(...argv)).toMatchObject({ code: 0 });
  expect(await call('run', '--config', await config('unkilled', small))).toMatchObject({ code: 0 });
  expect((await sorted('unkilled')).length).toBeGreaterThan(0);
  expect(await sorted('killed')).toBe(await sorted('unkilled'));
}, 600_000);

it('topics are made, described, and their lag told, with tables for people and JSON for programs', async () => {
  const where = ['--brokers', broker.address, '--prefix', 'made'];
  const made = await call('topics', 'create', '--pipeline', 'evaluate', '--partitions', '3', ...where);
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('made.graded.v1.dlq\n') });
  const again = await call('topics', 'create', '--pipeline', 'evaluate', ...where, '--json');
  expect(JSON.parse(again.out)).toMatchObject({ created: [] });
  const { out } = await call('topics', 'describe', ...where, '--json');
  const { topics } = JSON.parse(out) as { topics: { topic: string }[] };
  expect(topics.find(({ topic }) => topic === 'made.rollouts.v1')).toMatchObject({
    partitions: 3,
    records: 0,
    schema: 'row/1',
    cleanup: 'delete',
  });
  expect(topics.find(({ topic }) => topic === 'made.privileged.v1')).toMatchObject({
    cleanup: 'compact',
    retention_ms: null,
  });
  const lag = await call('topics', 'lag', '--brokers', broker.address, '--prefix', 'evaluate-four', '--json');
  expect(JSON.parse(lag.out)).toMatchObject({ total_lag: 0, total_dead_letters: 0 });
  expect((await call('topics', 'lag', '--brokers', broker.address, '--prefix', 'evaluate-four')).out).toMatch(
    /evaluate-four\.judge +evaluate-four\.rollouts\.v1 +all +0/,
  );
}, 300_000);

it('a group that has committed nothing was left out of the lag', async () => {
  const where = ['--brokers', broker.address, '--prefix', 'idle'];
  expect(await call('topics', 'create', '--pipeline', 'evaluate', '--partitions', '2', ...where)).toMatchObject({
    code: 0,
  });
  const bus = kafkaBus({ brokers: [broker.address] });
  const [producer, consumer] = [bus.producer(), bus.consumer('idle.reads')];
  await producer.connect();
  await producer.send({ topic: 'idle.rollouts.v1', messages: [{ value: '{}' }, { value: '{}' }], acks: -1 });
  await producer.disconnect();
  await consumer.connect();
  await consumer.subscribe({ topic: 'idle.rollouts.v1', fromBeginning: true });
  const met = new Promise((resolve) =>
    consumer.run({ autoCommit: false, eachMessage: async ({ message }) => resolve(message) }),
  );
  await met;
  const { out } = await call('topics', 'lag', ...where, '--json');
  await consumer.disconnect();
  expect(JSON.parse(out)).toMatchObject({
    groups: [{ group: 'idle.reads', topic: 'idle.rollouts.v1', lag: 2 }],
    total_lag: 2,
  });
}, 120_000);

it('why did not know a row, or the group it was in, that lay among the dead letters', async () => {
  const bus = kafkaBus({ brokers: [broker.address] });
  const where = ['--brokers', broker.address, '--prefix', 'letters'];
  const made = await call('topics', 'create', '--pipeline', 'evaluate', '--partitions', '2', ...where);
  expect(made).toMatchObject({ code: 0 });
  const rollout = (id: string) => ({ scenario_id: 's1', rollout_id: id, prompt: 'p', steps: [], final_text: 'f' });
  const record = (topic: string, row: object) => ({
    ...{ topic: `letters.${topic}.v1`, partition: 1, offset: '7', timestamp: '0', key: null, headers: {} },
    value: Buffer.from(JSON.stringify(row)),
  });
  const group = { key: 's1', rollouts: [rollout('grouped'), rollout('with-it')] };
  const letters = kafkaDeadLetters({ topic: 'letters.dlq' }, { producer: bus.producer });
  await letters.write([
    ...[
      ['judge', 'rollouts', rollout('alone'), 'host is down'] as const,
      ['group', 'verdicts', group, ''] as const,
    ].map(([by, topic, row, error]) => ({
      ...{ row, by, stage: by, reason: 'error', error, origins: [record(topic, row)] },
    })),
  ]);
  await letters.close?.();
  const why = async (id: string) => JSON.parse((await call('why', id, '--json', ...where)).out).decisions;
  expect(await why('alone')).toMatchObject([
    {
      found_in: 'letters.rollouts.v1.dlq',
      decision: {
        ...{ step: 'judge', decision: 'left', by: 'judge', reason: 'error' },
        gates: [{ passed: false, numbers: { attempt: 1, error: 'host is down' } }],
      },
    },
  ]);
  expect(await why('with-it')).toMatchObject([{ decision: { row_id: 'with-it', by: 'group', reason: 'error' } }]);
  const nobody = await call('why', 'nobody', ...where);
  expect([nobody.code, nobody.said]).toEqual([3, expect.stringContaining('or among the dead letters')]);
}, 120_000);

it('a worker that dies ends the run with a code and its reason', async () => {
  await writeFile(at('exits.mjs'), 'export default () => process.exit(7);');
  const file = await config('died', { ...pipelines.evaluate, judge: './exits.mjs' });
  const { code, said } = await call('run', '--config', file, '--prefix', 'died', '--bus', 'kafka', '--workers', '1');
  expect([code, said]).toEqual([3, expect.stringMatching(/TM_WORKER: worker 1 ended with code 7/)]);
}, 300_000);

it('a judge that failed on every row ended over Kafka with 0 and no word, with workers too', async () => {
  await writeFile(at('broken.mjs'), "export default () => { throw new Error('boom'); };");
  for (const [prefix, how] of Object.entries({ broken: [], 'broken-shared': ['--workers', '2'] })) {
    const path = await config(prefix, { ...pipelines.evaluate, judge: './broken.mjs' });
    const { code, said } = await call('run', '--config', path, '--bus', 'kafka', '--prefix', prefix, ...how);
    expect([code, said]).toEqual([3, expect.stringMatching(/Not one row got a verdict \(600 \w+\)/)]);
  }
}, 240_000);

it('a wrong prefix had a lag of 0, and a wrong topic was called a fault of Tracemill', async () => {
  const there = ['--brokers', broker.address];
  expect(await call('topics', 'create', '--pipeline', 'evaluate', '--prefix', 'named', ...there)).toMatchObject({
    code: 0,
  });
  expect(await call('topics', 'lag', '--prefix', 'nmed', ...there)).toMatchObject({
    ...{ code: 2, out: '', said: expect.stringMatching(/there are no topics of nmed/) },
  });
  expect(await call('topics', 'replay', 'named.rolouts.v1', ...there)).toMatchObject({
    ...{
      code: 2,
      said: expect.stringMatching(/no topic named\.rolouts\.v1\.dlq; there are .*named\.rollouts\.v1\.dlq/),
    },
  });
}, 120_000);
