import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowsFromOtlp } from '../../../src/dialects/otlp/rows-from-otlp.ts';
import { sessionRows } from '../../../src/dialects/otlp/session-rows.ts';
import { assembleSessions } from '../../../src/dialects/otlp/sessions.ts';

const text = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
const chat = (trace: string, id: string, ms: number, ask: string, reply: string, more: object = {}) => ({
  trace_id: trace.repeat(32),
  span_id: id.repeat(16),
  name: 'chat',
  start_time_unix_nano: `${1_760_000_000_000 + ms}000000`,
  end_time_unix_nano: `${1_760_000_000_001 + ms}000000`,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': JSON.stringify([text('user', ask)]),
    'gen_ai.output.messages': JSON.stringify([text('assistant', reply)]),
    ...more,
  },
});
const key = { 'gen_ai.conversation.id': 'c' };

it('closes a session that was idle, and tells it again when a span comes late', () => {
  const sessions = assembleSessions({ maxIdleMs: 10, maxLateMs: 100 });
  expect(sessions.add(chat('a', '1', 0, 'go', 'one'), 0)).toEqual([]);
  expect(sessions.tick(9)).toEqual([]);
  const [first] = sessions.tick(10);
  expect(first).toMatchObject({ prompt: 'go', final_text: 'one', revision: 1 });
  sessions.add(chat('a', '2', 5, 'more', 'two'), 20);
  const [second] = sessions.tick(30);
  expect(second).toMatchObject({ rollout_id: first?.rollout_id, final_text: 'two', revision: 2 });
  expect(sessions.tick(1000)).toEqual([]);
  expect(sessions.counts()).toEqual({ open: 0, spans: 0, duplicates: 0 });
});

it('joins traces when a later span says that they are one conversation', () => {
  const sessions = assembleSessions();
  sessions.add(chat('a', '1', 0, 'one?', 'one'), 0);
  sessions.add(chat('b', '2', 10, 'two?', 'two', key), 1);
  sessions.add({ ...chat('a', '3', 1, '', ''), attributes: key }, 2);
  expect(sessions.end()).toMatchObject([{ conversation_id: 'c', prompt: 'one?', final_text: 'two' }]);
});

it('takes a span that is sent again once, and does not tell its session again', () => {
  const sessions = assembleSessions({ maxIdleMs: 10 });
  sessions.add(chat('a', '1', 0, 'go', 'one'), 0);
  expect(sessions.tick(10)).toHaveLength(1);
  sessions.add(chat('a', '1', 0, 'go', 'one'), 11);
  expect(sessions.end()).toEqual([]);
  expect(sessions.counts().duplicates).toBe(1);
});

it('keeps a span whose parent never came, and counts it', () => {
  const sessions = assembleSessions();
  sessions.add({ ...chat('a', '1', 0, 'go', 'one'), parent_span_id: 'f'.repeat(16) }, 0);
  expect(sessions.end()).toMatchObject([{ final_text: 'one', span_counts: { spans: 1, orphans: 1 } }]);
});

it('holds no more spans than it may', () => {
  const sessions = assembleSessions({ maxParked: 3 });
  let rows = 0;
  for (let n = 0; n < 50; n++) {
    rows += sessions.add({ ...chat('a', '1', n, 'go', 'one'), trace_id: n.toString(16).padStart(32, '0') }, n).length;
    expect(sessions.counts().spans).toBeLessThanOrEqual(3);
  }
  expect(rows + sessions.end().length).toBe(50);
});

it('tells what the batch reader tells, in whatever order the spans come', () => {
  const spans = [
    chat('a', '1', 0, 'one?', 'one', key),
    chat('b', '2', 10, 'two?', 'two', key),
    chat('c', '3', 20, 'alone?', 'alone'),
  ];
  const whole = rowsFromOtlp({ spans });
  fc.assert(
    fc.property(fc.shuffledSubarray(spans, { minLength: 3 }), (order) => {
      const sessions = assembleSessions();
      for (const span of order) sessions.add(span, 0);
      const rows = sessions.end().map(({ rollout_id: _id, revision: _n, span_counts: _c, ...row }) => row);
      expect(rows).toHaveLength(whole.length);
      expect(rows).toEqual(expect.arrayContaining(whole));
    }),
  );
});

it('holds no more than its bytes, however few records they are', () => {
  const sessions = assembleSessions({ maxParkedBytes: 100_000 });
  for (let n = 1; n <= 20; n++) {
    const trace_id = String(n).padStart(32, '0');
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.prompt': 'x'.repeat(20_000) };
    sessions.add({ trace_id, span_id: String(n).padStart(16, '0'), name: 'chat', attributes }, n);
  }
  expect(sessions.counts().spans).toBe(4);
});

it('tells turns that began within one millisecond in the order of their histories, whatever their ids', () => {
  const call = { type: 'tool_call', id: 'c', name: 'get_order', arguments: {} };
  const answer = { type: 'tool_call_response', id: 'c', response: { ok: true } };
  const said = (input: readonly object[], output: readonly object[]) => ({
    'gen_ai.input.messages': JSON.stringify(input),
    'gen_ai.output.messages': JSON.stringify(output),
  });
  const ask = text('user', 'where?');
  const asked = { role: 'assistant', parts: [call] };
  const done = [text('assistant', 'shipped')];
  const answered = { role: 'tool', parts: [answer] };
  for (const history of [[ask, asked, answered], [answered]])
    for (const [first, second] of [
      ['1', '2'],
      ['2', '1'],
    ] as const) {
      const sessions = assembleSessions();
      sessions.add(chat('a', first, 0, '', '', said([ask], [asked])), 0);
      sessions.add(chat('a', second, 0, '', '', said(history, done)), 0);
      const [row] = sessions.end();
      expect(row).toMatchObject({ prompt: 'where?', final_text: 'shipped' });
      expect(row?.steps).toMatchObject([{ tool: 'get_order', result: { ok: true } }]);
    }
});

it('wrote out what records say at each of their comparisons: 30,000 verdicts of a trace took half a minute', () => {
  let reads = 0;
  const verdict = (n: number) => ({
    ...{ trace_id: 'a'.repeat(32), span_id: null, event_name: 'gen_ai.evaluation.result', time_unix_nano: `${n + 1}` },
    attributes: { 'gen_ai.evaluation.name': `n${n % 7}`, 'gen_ai.evaluation.score.value': n % 2 },
    get body() {
      reads++;
      return null;
    },
  });
  const count = 1000;
  const rows = sessionRows([chat('a', '1', 0, 'go', 'one'), ...Array.from({ length: count }, (_, n) => verdict(n))]);
  expect(rows).toMatchObject([{ final_text: 'one', revision: count + 1, markers: { n0: 0, n1: 1 } }]);
  expect(reads).toBeLessThan(6 * count);
});
