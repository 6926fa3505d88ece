import { expect, it, vi } from 'vitest';
import { judgePairs } from '../../src/judges/judge-pairs.ts';
import type { Row } from '../../src/rows/row.ts';

const pair = (chosen: string, rejected: string) => ({
  chosen: { final_text: chosen },
  rejected: { final_text: rejected },
});

it('a judge that fails half of its calls does not hide behind the other order', async () => {
  let calls = 0;
  const half = (a: Row) => {
    if (calls++ % 2 === 0) throw new Error('down');
    return { winner: a.final_text === 'good' ? 'A' : 'B' };
  };
  const { report, pairs } = await judgePairs([pair('good', 'bad'), pair('good', 'bad')], half, { concurrency: 1 });
  expect(report).toMatchObject({ failed: 0, failed_calls: 2, n_judged: 2, warning_codes: ['judge_errors'] });
  expect(pairs[0]).toMatchObject({ pairwise: { winner: 'chosen', position_consistent: null }, tie: false });
});

it('a call that hangs has no answer, and nobody waits for it', async () => {
  vi.useFakeTimers();
  const work = judgePairs([pair('a', 'b')], () => new Promise(() => {}), { timeoutMs: 50, swap: false });
  await vi.advanceTimersByTimeAsync(50);
  expect((await work).report).toMatchObject({ failed: 1, failed_calls: 1 });
  vi.useRealTimers();
});

it('says how sure the flip rate is, and how often the first place won', async () => {
  const { report } = await judgePairs([pair('a', 'b'), pair('c', 'd')], () => '{"winner":"a"}');
  expect(report).toMatchObject({ position_flip_rate: 1, first_position_rate: 1 });
  expect(report.position_flip_ci95?.[0]).toBeCloseTo(0.342, 3);
});

it('refuses what is no pair, and leaves the pairs it was given as they were', async () => {
  await expect(judgePairs([{ chosen: {} }], () => 'tie')).rejects.toThrow(/a pair has a chosen and a rejected row/);
  const given = pair('a', 'b');
  await judgePairs([given], (a) => {
    Object.assign(a, { final_text: 'forged' });
    return { winner: 'tie' };
  });
  expect(given).toEqual(pair('a', 'b'));
});
