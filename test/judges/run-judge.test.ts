import { expect, it, vi } from 'vitest';
import { TracemillError } from '../../src/core/errors.ts';
import { evaluate } from '../../src/judges/evaluate.ts';
import type { Judge } from '../../src/judges/judge.ts';
import { runJudge } from '../../src/judges/run-judge.ts';
import type { Row } from '../../src/rows/row.ts';

const row = (id: string, more: Partial<Row> = {}): Row => ({ id, final_text: id, ...more });
const isA = ({ final_text }: Row) => final_text === 'a';
/** Let every timer up to `ms` fire, and what waits for it. */
async function pass<T>(ms: number, work: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(ms);
  return work;
}

it('a judge that throws on one row keeps the other verdicts, in order', async () => {
  const judge = ({ final_text }: Row) => {
    if (final_text === 'b') throw new TypeError('no text');
    return isA({ final_text });
  };
  const { rows } = await runJudge([row('a'), row('b'), row('c')], judge);
  expect(rows.map((one) => [one['id'], one.reward, one.judge_status])).toEqual([
    ['a', 1, 'ok'],
    ['b', null, 'error'],
    ['c', 0, 'ok'],
  ]);
  expect(rows[1]?.['judge_meta']).toEqual({ error: 'TypeError: no text' });
});

it('a judge cannot change the row, nor see the answer key unless it asks', async () => {
  const given = row('a', { steps: [{ tool: 't', arguments: { x: 1 } }], privileged: { reference: 'key' } });
  const before = structuredClone(given);
  const seen: unknown[] = [];
  const meddle = (copy: Row) => {
    seen.push(copy['privileged']);
    (copy.steps ?? []).push({ tool: 'forged' });
    Object.assign(copy.steps?.[0]?.['arguments'] ?? {}, { x: 2 });
    Object.assign(copy, { final_text: 'forged' });
    return true;
  };
  const { rows } = await runJudge([given], meddle);
  await runJudge(
    [given],
    Object.assign((copy: Row) => meddle(copy), { usePrivileged: true }),
  );
  expect(given).toEqual(before);
  expect(rows[0]).toMatchObject(before);
  expect(seen).toEqual([undefined, { reference: 'key' }]);
});

it('re-grading leaves nothing of the old verdict on a row that could not be judged', async () => {
  const old = row('a', { reward: 1, reason: 'fine', failure_class: 'x', qwen_reward: 1, label_source: 'human' });
  const { rows } = await runJudge([{ ...old, grader_reason: 'r', judge_meta: { v: 1 }, kept: 1 }], () => null);
  expect(rows[0]).toMatchObject({ reward: null, judge_status: 'invalid_result', kept: 1 });
  for (const key of ['reason', 'failure_class', 'qwen_reward', 'label_source', 'grader_reason'])
    expect(rows[0]).not.toHaveProperty(key);
});

it('at the limit the call is aborted and its late answer does not overwrite the timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let signalled = false;
  let late = (_reward: number) => {};
  const hangs = (_row: Row, signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      signalled = true;
    });
    return new Promise<number>((resolve) => {
      late = resolve;
    });
  };
  const { rows } = await pass(200, runJudge([row('a')], hangs, { timeoutMs: 200, concurrency: 1 }));
  late(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(signalled).toBe(true);
  expect(rows[0]).toMatchObject({ reward: null, judge_status: 'timeout', judge_meta: { timeout_s: 0.2 } });
  vi.useRealTimers();
});

it('runs no more calls at a time than it may', async () => {
  let [open, most] = [0, 0];
  const judge = async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setImmediate(resolve));
    open--;
    return 1;
  };
  await runJudge(
    Array.from({ length: 20 }, (_, n) => row(`${n}`)),
    judge,
    { concurrency: 3 },
  );
  expect(most).toBe(3);
});

it('names the judge: option, function, object, lambda', async () => {
  const named = async (judge: Parameters<typeof runJudge>[1], judgeName?: string) =>
    (await runJudge([], judge, judgeName ? { judgeName } : {})).judge_name;
  expect(await named(isA)).toBe('isA');
  expect(
    await named(
      (
        () => () =>
          1
      )(),
    ),
  ).toBe('lambda_judge');
  expect(await named({ judge: () => 1 })).toBe('judge');
  expect(await named({ name: 'own', judge: () => 1 })).toBe('own');
  expect(await named(isA, 'given')).toBe('given');
});

it('says what kind of scorer spoke, and its version', async () => {
  const judge = { kind: 'reward_model' as const, version: 'v2', judge: () => ({ reward: 0.5 }) };
  const { rows } = await runJudge([row('a', { lineage: null })], judge);
  expect(rows[0]).toMatchObject({
    judge_meta: { scorer_kind: 'reward_model' },
    lineage: { judge_version: 'v2', parent: 'a' },
  });
});

it('refuses a typo before the first call', async () => {
  const judge = vi.fn(() => 1);
  await expect(runJudge([row('a')], judge, { concurency: 1 } as never)).rejects.toThrow(/TM_OPTIONS.*concurency/s);
  await expect(runJudge([row('a')], judge, { scale: [2, 1] })).rejects.toThrow('TM_OPTIONS');
  expect(judge).not.toHaveBeenCalled();
});

it('views: partial rewards are neither passes nor failures, ranges may leave their ends out', async () => {
  const scored = await runJudge(
    [0, 0.25, 0.5, 1, 2].map((n) => row('a', { n })),
    (one) => one['n'],
  );
  const ns = (rows: readonly Row[]) => rows.map((one) => one['n']);
  expect(ns(scored.passes())).toEqual([1]);
  expect(ns(scored.failedTraces())).toEqual([0]);
  expect(ns(scored.partials())).toEqual([0.25, 0.5]);
  expect(ns(scored.unjudged())).toEqual([2]);
  expect(ns(scored.byRewardRange(0.25, 1))).toEqual([0.25, 0.5, 1]);
  expect(ns(scored.byRewardRange(0.25, 1, { inclusive: false }))).toEqual([0.5]);
});

it('evaluate says how much of the evaluation set was run, case and blanks folded', async () => {
  const rows = [row('1', { prompt: 'Where  is IT?' }), row('2', { prompt: 'other' })];
  const evalSet = ['where is it?', 'Where is it? ', { prompt: 'zzz' }, 'Missing', '  '];
  const scored = await evaluate(rows, { grader: isA, evalSet });
  expect(scored.source).toBe('eval');
  expect(scored.eval_coverage).toEqual({ eval_set: 3, covered: 1, missing: ['missing', 'zzz'] });
});

it('a time-out says what the call had met before it was given up', async () => {
  const judge: Judge = (_row, signal) =>
    new Promise((_done, fail) => {
      signal.addEventListener('abort', () =>
        fail(new TracemillError('TM_MODEL', 'host: 503 too busy', { reason: 'server_error' })),
      );
    });
  const { rows } = await runJudge([{ final_text: 'a' }], judge, { timeoutMs: 5 });
  expect(rows[0]).toMatchObject({
    reward: null,
    judge_status: 'timeout',
    judge_meta: { timeout_s: 0.005, last_error: 'host: 503 too busy' },
  });
});
