import assert from 'node:assert';
import fc from 'fast-check';
import { of, Subject } from 'rxjs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineSession } from '../../src/core/define-session.ts';
import { createFlow } from '../../src/core/flow.ts';
import { createLedger } from '../../src/core/ledger.ts';
import type { Tracked } from '../../src/core/operator.ts';
import { Receipt } from '../../src/core/receipt.ts';
import { type PackedSpan, packedSpansOf } from '../../src/dialects/otlp/packed-span.ts';
import { messageType } from '../../src/dialects/otlp/protobuf-messages.ts';
import { sessionRows } from '../../src/dialects/otlp/session-rows.ts';
import { sessions, sessionsCore } from '../../src/operators/sessions.ts';
import type { Row } from '../../src/rows/row.ts';
import { operatorContract } from '../contract.ts';
import { type SpanRecord, talk } from '../spans.ts';

operatorContract(sessions);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { maxIdleMs: 10, maxLateMs: 1000 };
const byId = (rows: readonly Row[]): Readonly<Record<string, Row>> =>
  Object.fromEntries(latest(rows).map((row) => [row.rollout_id, row]));
/** What an end keeps: of each row the highest revision. */
function latest(rows: readonly Row[]): Row[] {
  const kept = new Map<unknown, Row>();
  for (const row of rows)
    if (Number(kept.get(row.rollout_id)?.['revision'] ?? 0) <= Number(row['revision'])) kept.set(row.rollout_id, row);
  return [...kept.values()].filter(({ retracted }) => retracted !== true);
}

/** Hand records to a session operator, a time after each, and let all sessions close. */
function rowsOf(steps: readonly (readonly [SpanRecord, number])[], options: object = limits): Row[] {
  const rows: Row[] = [];
  const live = new Subject<SpanRecord>();
  const subscription = live.pipe(sessions(options)).subscribe((row) => rows.push(row));
  for (const [record, gapMs] of steps) {
    live.next(record);
    vi.advanceTimersByTime(gapMs);
  }
  vi.advanceTimersByTime(50);
  subscription.unsubscribe();
  return rows;
}

const records = [...talk('a'), ...talk('b', 1)];
const gap = fc.constantFrom(0, 0, 0, 5, 30);

it('gives the same rows in every order, with every span sent any number of times and in any batches', () => {
  const whole = byId(sessionRows(records));
  expect(Object.values(whole)).toMatchObject([
    { prompt: 'Where is a?', final_text: 'a is here.', revision: 6, usage: { input_tokens: 30, output_tokens: 12 } },
    { prompt: 'Where is b?', revision: 6, span_counts: { spans: 5, orphans: 0 }, markers: { polite: 1 } },
  ]);
  fc.assert(
    fc.property(
      fc.shuffledSubarray(records, { minLength: records.length }),
      fc.array(fc.constantFrom(...records), { maxLength: 6 }),
      fc.array(gap, { minLength: 20, maxLength: 20 }),
      (order, again, gaps) => {
        const rows = rowsOf([...order, ...again].map((record, n) => [record, gaps[n] ?? 0]));
        expect(byId(rows)).toEqual(whole);
        for (const { rollout_id } of Object.values(whole)) {
          const told = rows.filter((row) => row.rollout_id === rollout_id).map(({ revision }) => Number(revision));
          expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
        }
      },
    ),
    { numRuns: 40 },
  );
});

it('says so when a span was lost, or tells the same without it', () => {
  const one = talk('a');
  const [whole] = sessionRows(one);
  const { span_counts: _all, revision: _n, ...story } = whole ?? {};
  for (const lost of one.keys()) {
    const [row] = sessionRows(one.filter((_record, n) => n !== lost));
    const { span_counts, revision: _less, ...told } = row ?? {};
    const { spans: _spans, ...missing } = span_counts as Readonly<Record<string, number>>;
    const says = Object.values(missing).some((count) => count > 0) || told.final_text === '';
    if (!says)
      expect([lost, told]).toEqual([lost, lost === 5 ? { ...story, markers: undefined, feedback: undefined } : story]); // a verdict is no span
  }
});

it('takes the fuller of two versions of a span, whichever comes first', () => {
  const one = talk('a');
  const fuller = { ...one[0], attributes: { ...(one[0]?.['attributes'] as object), 'gen_ai.agent.name': 'finder' } };
  const there = sessionRows([...one, fuller]);
  expect(there).toMatchObject([{ agent: 'finder', revision: 7 }]);
  expect(sessionRows([fuller, ...one])).toEqual(there);
});

it('retracts the row of a trace that turns out to be part of a conversation', () => {
  const spans = talk('a').slice(1);
  const bare = spans.map((span) => ({ ...span, attributes: without(span['attributes'], 'gen_ai.conversation.id') }));
  const rows = rowsOf([
    ...bare.map((span, n) => [span, n === bare.length - 1 ? 30 : 0] as const),
    [talk('a')[0] ?? {}, 0],
  ]);
  const [first, second, gone] = rows;
  expect(rows).toHaveLength(3);
  expect(second).toMatchObject({ conversation_id: 'talk-a', prompt: 'Where is a?', revision: 6 });
  expect(gone).toMatchObject({ rollout_id: first?.rollout_id, retracted: true, superseded_by: [second?.rollout_id] });
  expect(Number(gone?.['revision'])).toBeGreaterThan(Number(first?.['revision']));
});

it('makes a row of its own, marked, of what comes after its conversation was forgotten', () => {
  const [root = {}, ...rest] = talk('a');
  const steps = [...rest.map((span) => [span, 0] as const), [root, 0] as const];
  const late = rowsOf([
    ...steps.slice(0, -1).map(([span]) => [span, 0] as const),
    [talk('b')[0] ?? {}, 2000],
    [root, 0],
  ]);
  const told = late.filter(({ final_text }) => final_text === 'a is here.');
  expect(told).toHaveLength(1);
  expect(byId(late)[String(told[0]?.rollout_id)]).toEqual(told[0]); // nothing that came later took its place
});

it('holds no more than it may, and counts what it let go before its time', () => {
  const counts: Record<string, number> = {};
  const count = (_by: string, what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const live = new Subject<SpanRecord>();
  const rows: Row[] = [];
  live.pipe(sessions({ maxParked: 12, maxOpen: 2 }, {}, { count })).subscribe((row) => rows.push(row));
  for (let n = 0; n < 20; n++) for (const record of talk(`t${n}`)) live.next(record);
  live.complete();
  expect(latest(rows)).toHaveLength(20);
  expect(counts).toMatchObject({ closed_bound: 18, closed_end: 2, forgotten_early: 18, forgotten: 2 });
});

it('closes by event time when old spans are read faster than they were made', () => {
  const rows: Row[] = [];
  const live = new Subject<SpanRecord>();
  const subscription = live.pipe(sessions(limits)).subscribe((row) => rows.push(row));
  for (const record of talk('a')) live.next(record);
  expect(rows).toEqual([]);
  for (const record of talk('b', 60_000)) live.next(record);
  expect(rows).toMatchObject([{ prompt: 'Where is a?' }]);
  subscription.unsubscribe();
});

it('closes a conversation that never rests, once it has lasted for maxOpenMs', () => {
  const beats = Array.from({ length: 30 }, (_, n) => [beat(n), 5] as const);
  const rows = rowsOf(beats, { ...limits, maxOpenMs: 60 });
  expect(rows.length).toBeGreaterThan(1);
  expect(new Set(rows.map(({ rollout_id }) => rollout_id)).size).toBe(rows.length);
  expect(rows.reduce((sum, { revision }) => sum + Number(revision), 0)).toBe(30);
});

it('loses nothing and changes nothing, wherever it is killed: what is read again gives the same rows', () => {
  const blocks = ['a', 'b', 'c', 'd'].map((name) => talk(name));
  const whole = byId(sessionRows(blocks.flat()));
  const order = fc.tuple(
    ...blocks.map((block) =>
      fc.tuple(
        fc.shuffledSubarray([...block], { minLength: block.length }),
        fc.array(gap, { minLength: 6, maxLength: 6 }),
      ),
    ),
  );
  fc.assert(
    fc.property(order, fc.array(fc.nat(40), { maxLength: 4 }), fc.nat(4), (given, kills, storedAfter) => {
      const steps = given.flatMap(([block, gaps], n) =>
        block.map((record, at) => [record, (gaps[at] ?? 0) + (at === 5 && n % 2 === 1 ? 1500 : 0)] as const),
      );
      const log = killed(steps, kills, storedAfter);
      expect(byId(log.stored)).toEqual(whole);
      expect(log.committed).toBe(steps.length);
    }),
    { numRuns: 40 },
  );
});

/** A log that is read from where it was committed; a worker that is killed at some records; an end that stores rows later. */
function killed(steps: readonly (readonly [SpanRecord, number])[], kills: readonly number[], storedAfter: number) {
  const stored: Row[] = [];
  let committed = 0;
  const left = [...kills];
  for (let isOver = false; !isOver; ) {
    const lane = createFlow(1000).lane();
    const ledger = createLedger(() => 0);
    const live = new Subject<Tracked<SpanRecord>>();
    const waiting: Tracked<Row>[] = [];
    const context = { reject: () => {}, count: () => {}, tally: () => ({ in: 0, out: 0, inFlight: 0 }) };
    const worker = live.pipe(sessions(limits).tracked(context)).subscribe((item) => waiting.push(item));
    const store = (n: number) => {
      for (const { row, receipt } of waiting.splice(0, n)) {
        stored.push(row);
        receipt.done();
      }
    };
    const kill = left.shift();
    const from = committed;
    isOver = kill === undefined || kill >= steps.length - from;
    for (const [n, [row, gapMs]] of steps.slice(from).entries()) {
      if (!isOver && n === kill) break;
      live.next({ row, receipt: new Receipt(lane, ledger.enter(from + n)) });
      vi.advanceTimersByTime(gapMs);
      if (n % 5 >= storedAfter) store(1);
    }
    if (isOver) {
      vi.advanceTimersByTime(50);
      store(waiting.length);
      vi.advanceTimersByTime(3000);
      store(waiting.length);
    }
    worker.unsubscribe();
    committed = Math.max(committed, ledger.point() ?? 0);
  }
  return { stored, committed };
}

const without = (attributes: unknown, name: string): object =>
  Object.fromEntries(Object.entries(attributes as object).filter(([key]) => key !== name));

const beat = (n: number): SpanRecord => ({
  trace_id: 'e'.repeat(32),
  span_id: String(n).padStart(16, '0'),
  name: 'chat',
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': `beat ${n}`,
  },
});

it('takes the spans of many traces for different ones, though every trace numbers its spans anew', () => {
  const traces = Array.from({ length: 40 }, (_, n) => n);
  const spans = traces.map((n) => ({
    ...(talk('a')[1] as SpanRecord), // a model call
    trace_id: n.toString(16).padStart(32, 'a'),
    span_id: '0000000000000001',
    attributes: { 'session.id': 's', 'gen_ai.usage.input_tokens': 1, 'gen_ai.operation.name': 'chat' },
  }));
  const counts: Record<string, number> = {};
  const live = new Subject<SpanRecord>();
  const count = (_by: string, what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  live.pipe(sessions(limits, {}, { count })).subscribe();
  for (const span of [...spans, ...spans]) live.next(span);
  live.complete();
  expect(counts).toMatchObject({ duplicate: 40, closed_end: 1 });
});

it('shows a span as it is decoded where its session cannot be told', () => {
  const request = messageType('TraceRequest');
  const ids = { traceId: Buffer.alloc(16, 1), spanId: Buffer.alloc(8, 1), name: 'chat' };
  const body = request.fromObject({ resourceSpans: [{ scopeSpans: [{ spans: [ids] }] }] });
  const [span] = packedSpansOf(request.encode(body).finish()).spans;
  const core = { ...sessionsCore(sessions.spec.options.parse({})), close: () => assert.fail('cannot be told') };
  const broken = defineSession({ ...sessions.spec, core: () => core });
  const rejected: unknown[] = [];
  of(span as PackedSpan)
    .pipe(broken({}, {}, { reject: ({ row, reason }) => rejected.push([row, reason]) }))
    .subscribe();
  expect(rejected).toEqual([[[span?.opened()], 'error']]);
});

it('a conversation that goes by the id of its first trace takes nothing from the row of that trace', () => {
  const chat = (trace: string, id: string, conversation?: string) => ({
    ...{ trace_id: trace.repeat(32), span_id: id.repeat(16), parent_span_id: null, name: 'chat' },
    ...{ start_time_unix_nano: `176000000000000000${id}`, end_time_unix_nano: `176000000000000000${id}` },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `ask ${id}` }] }]),
      ...(conversation !== undefined && { 'session.id': conversation }),
    },
  });
  const told = [
    ...sessionRows([chat('a', '1')]),
    ...sessionRows([chat('b', '2', 'a'.repeat(32)), chat('c', '3', 'a'.repeat(32))]),
  ];
  expect(told.map(({ prompt }) => prompt)).toEqual(['ask 1', 'ask 2']);
  expect(new Set(told.map(({ rollout_id }) => rollout_id)).size).toBe(2);
});

it('a verdict that is forgotten before its trace comes does not make the trace late', () => {
  const verdict = {
    ...{ trace_id: talk('a')[0]?.['trace_id'], span_id: null, event_name: 'gen_ai.evaluation.result' },
    ...{ time_unix_nano: '5', attributes: { 'gen_ai.evaluation.name': 'right', 'gen_ai.evaluation.score.value': 1 } },
  };
  const rows: Row[] = [];
  const live = new Subject<SpanRecord>();
  live.pipe(sessions({ maxParked: 6 })).subscribe((row) => rows.push(row));
  live.next(verdict);
  for (const other of [...talk('b'), ...talk('c')]) live.next(other); // more than may be held
  for (const span of talk('a')) live.next(span);
  live.complete();
  expect(rows.filter(({ is_late }) => is_late)).toEqual([]);
});
