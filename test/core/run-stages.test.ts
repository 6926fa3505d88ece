import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCounters, type OperatorCounts } from '../../src/core/counters.ts';
import { defineExpand } from '../../src/core/define-expand.ts';
import { defineMap } from '../../src/core/define-map.ts';
import { pull } from '../../src/core/source.ts';
import { type AnyStage, defineStage, defineView } from '../../src/core/stage.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import { memorySink, rejectedSink } from '../memory.ts';

const schema = z.looseObject({ n: z.number() });
type Row = z.output<typeof schema>;
const nothing = { defaultValue: undefined };
const rows = (...all: number[]): Row[] => all.map((n) => ({ n }));

const map = (name: string, core: (row: Row) => Row) =>
  defineMap({ name, options: z.strictObject({}), core: () => core, example: { options: {}, in: [], out: [] } })({});
const stage = (from: string, to: string, operator: ReturnType<typeof map>, views: AnyStage['views'] = []) =>
  defineStage<Row, Row>({
    name: `${from}-${to}`,
    from,
    to,
    reads: schema,
    writes: schema,
    key: ({ n }) => String(n),
    id: ({ n }) => String(n),
    per: 'record',
    operator: () => operator,
    views,
  });
const add = (by: number) => map('add', (row) => ({ ...row, n: row.n + by }));
const halves = defineView<Row, Row>({
  to: 'halves',
  schema,
  key: ({ n }) => String(n),
  id: ({ n }) => String(n),
  rows({ n }) {
    if (n === 13) throw new Error('unlucky');
    return n % 2 === 0 ? rows(n / 2, n / 2) : [];
  },
});
const numbers = ({ rows }: { readonly rows: readonly Row[] }) => rows.map(({ n }) => n);

describe('stages in one process', () => {
  it('give each kind to its sink, and finish a record when all its sinks stored it', async () => {
    const done: number[] = [];
    const order: string[] = [];
    const told = (name: string) => ({
      write: async (batch: readonly Row[]) => void order.push(...batch.map(({ n }) => `${name} ${n}`)),
      close: async () => {},
    });
    const sinks = { a: told('a'), b: told('b'), c: told('c'), halves: told('half') };
    const source = pull(rows(1, 2), ({ n }) => {
      done.push(n);
      order.push(`done ${n}`);
    });
    const stages = [stage('a', 'b', add(10), [halves]), stage('b', 'c', add(100))];
    await lastValueFrom(inMemory(stages, { source, sinks, rejected: rejectedSink() }), nothing);
    expect(order.filter((line) => !line.startsWith('done')).sort()).toEqual(
      ['a 1', 'a 2', 'b 11', 'b 12', 'c 111', 'c 112', 'half 6', 'half 6'].sort(),
    );
    for (const line of ['a 2', 'b 12', 'c 112', 'half 6'])
      expect(order.indexOf(line)).toBeLessThan(order.indexOf('done 2'));
    expect(done.sort()).toEqual([1, 2]);
  });

  it('finish no record while one of its sinks has not stored it', async () => {
    const done: number[] = [];
    const stuck = { write: () => new Promise<never>(() => {}), close: async () => {} };
    const source = pull(rows(1, 2), ({ n }) => done.push(n));
    const sinks = { b: memorySink<Row>(), c: stuck };
    const stages = [stage('a', 'b', add(1)), stage('b', 'c', add(1))];
    const subscription = inMemory(stages, { source, sinks, rejected: rejectedSink() }).subscribe();
    await new Promise((resolve) => setImmediate(resolve));
    expect([numbers(sinks.b), done]).toEqual([[2, 3], []]);
    subscription.unsubscribe();
  });

  it('let two stages read one kind, and one kind be written by two', async () => {
    const sink = memorySink<Row>();
    const done: number[] = [];
    const stages = [stage('a', 'b', add(1)), stage('b', 'c', add(10)), stage('b', 'c', add(20))];
    const source = pull(rows(1, 2), ({ n }) => done.push(n));
    await lastValueFrom(inMemory(stages, { source, sinks: { c: sink }, rejected: rejectedSink() }), nothing);
    expect([numbers(sink).sort(), done]).toEqual([
      [12, 13, 22, 23],
      [1, 2],
    ]);
  });

  it('reject a row whose view fails, and still pass the row on', async () => {
    const [sink, side, rejected] = [memorySink<Row>(), memorySink<Row>(), rejectedSink()];
    const done: number[] = [];
    const source = pull(rows(12, 13), ({ n }) => done.push(n));
    const stages = [stage('a', 'b', add(0), [halves])];
    await lastValueFrom(inMemory(stages, { source, sinks: { b: sink, halves: side }, rejected }), nothing);
    expect([numbers(sink), numbers(side), done]).toEqual([
      [12, 13],
      [6, 6],
      [12, 13],
    ]);
    expect(rejected.rows).toEqual([
      { row: { n: 13 }, by: 'a-b', stage: 'a-b', reason: 'error', error: 'Error: unlucky' },
    ]);
  });

  it('refuse what cannot be right: an unknown sink, a lost kind, a loop, nothing', () => {
    const ends = { source: pull(rows()), rejected: rejectedSink() };
    const sink = memorySink<Row>();
    const one = stage('a', 'b', add(1));
    const why = (stages: readonly AnyStage[], sinks: Record<string, typeof sink>) => () =>
      inMemory(stages, { ...ends, sinks });
    expect(why([one], { b: sink, x: sink })).toThrowErrorMatchingInlineSnapshot(
      `[TracemillError: TM_OPTIONS: stages: nothing writes x; there are a, b]`,
    );
    expect(why([one], {})).toThrowErrorMatchingInlineSnapshot(
      `[TracemillError: TM_OPTIONS: stages: b, which a-b writes, has neither a stage nor a sink: its rows would be lost]`,
    );
    expect(
      why([one, stage('b', 'c', add(1)), stage('c', 'b', add(1))], { b: sink }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[TracemillError: TM_OPTIONS: stages: b-c, c-b wait for themselves from a on]`,
    );
    expect(why([one, stage('b', 'a', add(1))], { b: sink })).toThrowErrorMatchingInlineSnapshot(
      `[TracemillError: TM_OPTIONS: stages: a-b, b-a wait for themselves from a on]`,
    );
    expect(why([], {})).toThrowErrorMatchingInlineSnapshot(
      `[TracemillError: TM_OPTIONS: stages: there must be one stage at least]`,
    );
  });

  it('tell rows that relied on shared memory from rows that JSON can carry', async () => {
    const marked = new WeakSet<object>();
    const mark = map('mark', (row) => {
      const out = { ...row, at: new Date(0), gone: undefined };
      marked.add(out);
      return out;
    });
    const look = map('look', (row) => ({ n: row.n, isShared: marked.has(row), keys: Object.keys(row), at: row['at'] }));
    const spoil = map('spoil', (row) => (row.n === 2 ? ({ n: 'two' } as unknown as Row) : row));
    const runWith = async (serialised: boolean) => {
      const [sink, rejected] = [memorySink<Row>(), rejectedSink()];
      const stages = [stage('a', 'b', spoil), stage('b', 'c', mark), stage('c', 'd', look)];
      await lastValueFrom(
        inMemory(stages, { source: pull(rows(1, 2)), sinks: { d: sink }, rejected, serialised }),
        nothing,
      );
      return [sink.rows, rejected.rows.map(({ by, reason, row }) => [by, reason, row])];
    };
    expect((await runWith(false))[0]).toHaveLength(2);
    expect(await runWith(true)).toEqual([
      [{ n: 1, isShared: false, keys: ['n', 'at'], at: '1970-01-01T00:00:00.000Z' }],
      [['a-b', 'invalid_output', { n: 'two' }]],
    ]);
  });
});

const twice = defineExpand({
  name: 'twice',
  options: z.strictObject({}),
  core: () => (row: Row) => {
    if (row.n === 3) throw new Error('three');
    return [row, row];
  },
  example: { options: {}, in: [], out: [] },
});

it('counts what every operator, source and sink of every stage moved', async () => {
  const { hooks, snapshot } = createCounters();
  const stages = [stage('a', 'b', twice({})), stage('b', 'c', add(1))];
  const sinks = { c: memorySink<Row>() };
  await lastValueFrom(
    inMemory(stages, { source: pull(rows(1, 2, 3)), sinks, rejected: rejectedSink(), hooks }),
    nothing,
  );
  const said = ({ stage, operator, in: taken, out, rejected, in_flight }: OperatorCounts) =>
    `${stage} ${operator}: ${taken} in, ${out} out, ${JSON.stringify(rejected)}, ${in_flight} in flight`;
  expect(snapshot().map(said).sort()).toMatchInlineSnapshot(`
    [
      "a source: 3 in, 3 out, {}, 0 in flight",
      "a-b twice: 3 in, 4 out, {"error":1}, 0 in flight",
      "b-c add: 4 in, 4 out, {}, 0 in flight",
      "c sink: 4 in, 4 out, {}, 0 in flight",
      "rejected sink: 1 in, 1 out, {}, 0 in flight",
    ]
  `);
});

it('runs a million rows without keeping timers waiting', async () => {
  function* many(): Generator<Row> {
    for (let n = 0; n < 1_000_000; n++) yield { n };
  }
  let ticks = 0;
  const timer = setInterval(() => ticks++, 20);
  const sink = { write: async () => {}, close: async () => {} };
  const start = performance.now();
  await lastValueFrom(
    inMemory([stage('a', 'b', add(1))], { source: pull(many()), sinks: { b: sink }, rejected: sink }),
    nothing,
  );
  clearInterval(timer);
  expect(ticks).toBeGreaterThan((performance.now() - start) / 100);
}, 30_000);
