import { Subject } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { sessionRows } from '../../src/dialects/otlp/session-rows.ts';
import { thread } from '../../src/operators/thread.ts';
import { operatorContract } from '../contract.ts';
import { type SpanRecord, talk } from '../spans.ts';

operatorContract(thread);

it('gives spans again, behind a record that takes them back, when their trace is named late', () => {
  vi.useFakeTimers();
  try {
    const [root = {}, ...rest] = talk('a');
    const given: SpanRecord[] = [];
    const live = new Subject<SpanRecord>();
    live.pipe(thread({ maxIdleMs: 10 })).subscribe((record) => given.push(record));
    for (const record of rest) live.next(record);
    vi.advanceTimersByTime(20);
    expect(given).toEqual(rest);
    given.length = 0;
    live.next(root);
    vi.advanceTimersByTime(20);
    expect(given[0]).toMatchObject({ event_name: 'tracemill.moved', body: 'talk-a' });
    expect(given).toHaveLength(1 + rest.length + 1);
    const names = given.slice(1).map(({ attributes }) => (attributes as SpanRecord)['gen_ai.conversation.id']);
    expect(new Set(names)).toEqual(new Set(['talk-a']));
  } finally {
    vi.useRealTimers();
  }
});

it('takes back what a worker told before it was killed, when what is read again is whole at once', () => {
  const [root = {}, ask = {}, tool = {}] = talk('a');
  const given = (records: readonly SpanRecord[]): SpanRecord[] => {
    const all: SpanRecord[] = [];
    const live = new Subject<SpanRecord>();
    live.pipe(thread({})).subscribe((record) => all.push(record));
    for (const record of records) live.next(record);
    live.complete();
    return all;
  };
  const again = given([tool, ask, root]); // only the last one names the conversation
  expect(again[0]).toMatchObject({ event_name: 'tracemill.moved', trace_id: tool['trace_id'], body: 'talk-a' });
  const [row, gone, ...more] = sessionRows([tool, ...again]); // the tool's span was told by the first life
  expect(more).toEqual([]);
  expect(row).toMatchObject({ conversation_id: 'talk-a', revision: 3 });
  const [early] = sessionRows([tool]);
  expect(gone).toMatchObject({ rollout_id: early?.rollout_id, retracted: true, superseded_by: [row?.rollout_id] });
  expect(Number(gone?.['revision'])).toBeGreaterThan(Number(early?.['revision']));
  expect(given([root, tool, ask]).map(({ event_name }) => event_name)).toEqual([undefined, undefined, undefined]);
});
