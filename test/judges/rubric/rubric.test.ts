import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type CriterionKind,
  criterionFromObject,
  criterionKinds,
  slugOf,
} from '../../../src/judges/rubric/criterion.ts';
import { parseCriteriaReply } from '../../../src/judges/rubric/parse-replies.ts';
import { rubricFromObject } from '../../../src/judges/rubric/rubric.ts';
import { scoreWithRubric } from '../../../src/judges/rubric/score-with-rubric.ts';
import { writeRubrics } from '../../../src/judges/rubric/write-rubrics.ts';

it('a score lies from 0 to 1, markers agree with it, and a hard rule that is not met fails alone', () => {
  const part = fc.record({
    kind: fc.constantFrom(...criterionKinds),
    weight: fc.integer({ min: 1, max: 9 }),
    met: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 9 }), (parts) => {
      const { criteria } = rubricFromObject(parts.map(({ kind, weight }, n) => ({ title: `c${n}`, kind, weight })));
      const results = Object.fromEntries(parts.map(({ met }, n) => [String(n + 1), met]));
      const score = scoreWithRubric(criteria, results);
      const broken = parts.some(({ kind, met }) => kind === 'hard' && !met);
      const good = (kind: CriterionKind, met: boolean) => met !== (kind === 'pitfall');
      expect(score.reward >= 0 && score.reward <= 1).toBe(true);
      if (broken) expect(score.reward).toBe(0);
      if (parts.every(({ kind, met }) => good(kind, met))) expect(score.reward).toBe(1);
      expect(Object.values(score.markers)).toEqual(parts.map(({ kind, met }) => Number(good(kind, met))));
    }),
  );
});

it('an unclear verdict is unanswered, and too many make the score incomplete', () => {
  const { criteria } = rubricFromObject([
    { title: 'a' },
    { title: 'b' },
    { title: 'c' },
    { title: 'd' },
    { title: 'e' },
  ]);
  const score = scoreWithRubric(criteria, { 1: 'yes', 2: 'maybe', 3: true, 4: 1, 5: 'met' });
  expect(score).toMatchObject({ unanswered: ['b'], reward: 0.8, is_incomplete: false });
  expect(scoreWithRubric(criteria, { 1: 'yes', 2: 'maybe', 3: {} })).toMatchObject({
    n_unanswered: 4,
    is_incomplete: true,
  });
});

it('a key that could be two criteria is neither', () => {
  const { criteria } = rubricFromObject([{ title: 'Confirms order' }, { title: 'Confirms refund' }]);
  expect(scoreWithRubric(criteria, { confirms: true }).n_unanswered).toBe(2);
  expect(scoreWithRubric(criteria, { refund: true }).missed).toEqual(['Confirms order']);
});

it('slugs: plain words as they are, others apart from each other', () => {
  expect(slugOf('Polite & brief!')).toBe('polite_brief');
  expect(slugOf('Über alles')).not.toBe(slugOf('ber alles'));
  expect(slugOf('确认订单')).not.toBe(slugOf('说明退款'));
  expect(slugOf('x'.repeat(60)).length).toBeLessThanOrEqual(40);
  expect(() => criterionFromObject({ title: ' ' })).toThrow(
    expect.objectContaining({ reason: 'invalid_input' }) as Error,
  );
});

it('reads verdicts by title, by number and as an object; other replies give none', () => {
  expect(parseCriteriaReply('```json\n{"criteria":{"1":true,"b":"maybe"},"reason":"ok"}\n```')).toEqual({
    results: { 1: true, b: null },
    reason: 'ok',
  });
  expect(parseCriteriaReply('[1]')).toEqual({ results: null, reason: '' });
});

it('a writer that throws leaves its rows without a rubric, and the rows given stay as they were', async () => {
  const rows = [{ prompt: 'a' }, { prompt: 'B' }];
  const writer = ({ request }: { request: string }) => {
    if (request === 'a') throw new Error('busy');
    return [{ title: 'T', weight: 2 }];
  };
  const { rows: written, report } = await writeRubrics(rows, writer);
  expect(report).toMatchObject({ written: 1, failed: 1, failures: [{ prompt: 'a', error: 'busy' }] });
  expect(rows).toEqual([{ prompt: 'a' }, { prompt: 'B' }]);
  expect(written[1]).toMatchObject({ privileged: { rubric: { source: 'model', criteria: [{ title: 'T' }] } } });
  expect(written[0]).toBe(rows[0]);
});
