import { Subject } from 'rxjs';
import { expect, it, vi } from 'vitest';
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
