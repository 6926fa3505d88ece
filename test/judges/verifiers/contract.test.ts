import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../src/core/json-object.ts';
import { runJudge } from '../../../src/judges/run-judge.ts';
import { asVerifier } from '../../../src/judges/verifiers/as-verifier.ts';
import { all, any, weighted } from '../../../src/judges/verifiers/composites.ts';
import { verifier } from '../../../src/judges/verifiers/custom.ts';
import { exactMatch } from '../../../src/judges/verifiers/exact-match.ts';
import { includes } from '../../../src/judges/verifiers/includes.ts';
import { jsonField } from '../../../src/judges/verifiers/json-field.ts';
import { jsonSchema } from '../../../src/judges/verifiers/json-schema.ts';
import { jsonValid } from '../../../src/judges/verifiers/json-valid.ts';
import { multipleChoice } from '../../../src/judges/verifiers/multiple-choice.ts';
import { numeric } from '../../../src/judges/verifiers/numeric.ts';
import { regex } from '../../../src/judges/verifiers/regex.ts';
import type { Verifier } from '../../../src/judges/verifiers/verifier.ts';

const everyVerifier: readonly Verifier[] = [
  exactMatch(),
  includes(),
  regex({ pattern: '(x+)', group: 1 }),
  jsonValid(),
  jsonSchema({ schema: { type: 'object' } }),
  jsonField({ path: 'a.c' }),
  multipleChoice(),
  numeric(),
];
const anyRow = fc.record(
  {
    final_text: fc.anything(),
    messages: fc.anything(),
    reference: fc.oneof(fc.anything(), fc.array(fc.string())),
    privileged: fc.anything(),
    info: fc.anything(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

describe.each(everyVerifier.map((one) => [one.name, one] as const))('%s keeps the contract', (name, check) => {
  it('answers for any row, and never throws', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const verdict = check.verify(row);
        if (verdict instanceof Promise) throw new Error('expected an answer at once');
        const { reward, reason, judge_status } = verdict;
        expect(reward === null || (reward >= 0 && reward <= 1)).toBe(true);
        expect(judge_status === undefined).toBe(reward !== null);
        expect(reason.length).toBeLessThanOrEqual(400);
      }),
    );
  });
  it('never tells a privileged reference, in any spelling', () => {
    const golds = ['zebra-Q17', 'B', '-77.25', ['zebra-Q17'], { zebra: 'Q17' }];
    for (const reference of golds)
      for (const final_text of ['wrong', '{"a":{"c":"x"}}', '(C)', '12']) {
        const { reason = '' } = check.verify({ final_text, privileged: { reference } }) as { reason?: string };
        expect(reason.replace(`${name}:`, '')).not.toMatch(/zebra|q17|77\.25|\bB\b/i);
      }
  });
  it('is a judge: its verdict names it and its kind on the row', async () => {
    const { rows } = await runJudge([{ final_text: 'x', reference: 'x' }], check);
    expect(rows[0]).toMatchObject({ judge_name: name, judge_meta: { scorer_kind: 'rule', verifier: name } });
  });
});

it('a missing reference is missing_reward on the row and keeps the verifier’s name', async () => {
  const { rows } = await runJudge([{ final_text: 'x' }], exactMatch());
  expect(rows[0]).toMatchObject({ reward: null, judge_status: 'missing_reward', judge_name: 'ExactMatch' });
});

it('a function: clamped, read as a number, or unjudged with a status', () => {
  const status = (score: unknown) => {
    const verdict = verifier(() => score as number, { name: 'f' }).verify({}) as {
      reward: number;
      judge_status?: string;
    };
    return verdict.judge_status ?? verdict.reward;
  };
  expect([2, -1, '0.4', true, -0].map(status)).toEqual([1, 0, 0.4, 1, 0]);
  expect([Number.NaN, Infinity, 'abc', {}, []].map(status)).toEqual([
    'invalid_result',
    'invalid_result',
    'invalid_result',
    'invalid_result',
    'missing_reward',
  ]);
  expect([null, undefined].map(status)).toEqual(['missing_reward', 'missing_reward']);
  const throws = verifier(() => {
    throw new RangeError('too deep');
  });
  expect(throws.verify({})).toMatchObject({
    reward: null,
    judge_status: 'error',
    judge_meta: { error: 'RangeError: too deep' },
  });
});

it('a reason that repeats the privileged reference is replaced', () => {
  const leaky = verifier((_candidate, reference) => [0, `expected ${String(reference).toUpperCase()}`], {
    name: 'leaky',
  });
  expect(leaky.verify({ privileged: { reference: 'gold' } })).toMatchObject({ reason: 'leaky: fail' });
  expect(leaky.verify({ reference: 'gold' })).toMatchObject({ reason: 'expected GOLD' });
});

it('a check that takes too long has no verdict', async () => {
  vi.useFakeTimers();
  const never = verifier(() => new Promise<number>(() => {}), { name: 'never' });
  const verdict = never.verify({});
  await vi.advanceTimersByTimeAsync(1000);
  expect(await verdict).toMatchObject({ reward: null, judge_status: 'timeout' });
  vi.useRealTimers();
});

it('composites wait for parts that are slow, and take judges that are no verifiers', async () => {
  const slow = verifier(async () => 0.5, { name: 'slow' });
  const rated = (row: JsonObject) => ({ reward: row['x'] === 1 ? 1 : 0, reason: 'rated' });
  expect(await all([slow, rated]).verify({ x: 1 })).toMatchObject({ reward: 0.5, reason: 'slow: 0.50' });
  expect(await any([slow, rated]).verify({ x: 1 })).toMatchObject({ reward: 1, reason: 'rated' });
  expect(asVerifier(rated).verify({})).toMatchObject({ reward: 0, judge_meta: { verifier: 'rated' } });
  expect(asVerifier(() => 'yes').verify({})).toMatchObject({ reward: null, judge_status: 'invalid_result' });
});

it('weights: parts of one name are told apart, bad weights are refused', () => {
  const [one, zero] = [verifier(() => 1, { name: 'c' }), verifier(() => 0, { name: 'c' })];
  expect(
    weighted([
      [one, 1],
      [zero, 3],
    ]).verify({}),
  ).toMatchObject({
    reward: 0.25,
    judge_meta: { parts: { c: 1, 'c#2': 0 } },
  });
  for (const weight of [-1, Number.NaN, 0, Infinity]) expect(() => weighted([[one, weight]])).toThrow('TM_OPTIONS');
});

it('refuses an unknown option and a bad pattern when it is built', () => {
  expect(() => exactMatch({ lowr: true } as never)).toThrow(/TM_OPTIONS.*lowr/s);
  expect(() => regex({ pattern: '(' })).toThrow('TM_OPTIONS');
  expect(() => regex({ pattern: 'a', flags: 'g' })).toThrow('TM_OPTIONS');
  expect(() => includes({ mode: 'some' } as never)).toThrow('TM_OPTIONS');
});

it.each([
  [['Paris', 'Lutetia'], 'expected Paris'],
  [{ city: 'Paris', year: 1900 }, 'not in 1900'],
])('a check of your own tells none of several references: %j', async (reference, reason) => {
  const judged = await verifier(() => [0, reason], { name: 'own' }).verify({ privileged: { reference } });
  expect(JSON.stringify(judged)).not.toMatch(/Paris|1900/);
  const plain = await verifier(() => [0, 'too short'], { name: 'own' }).verify({ privileged: { reference } });
  expect(JSON.stringify(plain)).toContain('too short');
});
