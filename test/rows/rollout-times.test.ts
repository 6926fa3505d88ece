import { expect, it } from 'vitest';
import { timedJudge } from '../../src/judges/timed-judge.ts';
import { timeBook } from '../../src/rows/rollout-times.ts';

it('keeps when the last rollouts were played and judged', async () => {
  let now = 0n;
  const book = timeBook(() => ++now, 2);
  for (const id of ['a', 'b', 'c']) {
    const watch = book.begin();
    watch.act('tool')();
    watch.end(id);
  }
  const judge = timedJudge(
    Object.assign(async () => 1, { version: '3', usePrivileged: true }),
    book,
  );
  expect([judge.version, judge.usePrivileged]).toEqual(['3', true]);
  await (judge as (row: object, signal: AbortSignal) => unknown)({ rollout_id: 'c' }, AbortSignal.abort());
  expect(book.of('a')).toEqual({});
  expect(book.of('c')).toEqual({
    played: { fromNs: 9n, toNs: 12n, acts: [{ kind: 'tool', fromNs: 10n, toNs: 11n }] },
    judged: { fromNs: 13n, toNs: 14n },
  });
});
