import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dedupeGroups } from '../../../src/reports/guard/dedupe-groups.ts';
import { leakReport, privilegedLeak } from '../../../src/reports/guard/leak-report.ts';
import { lengthReport } from '../../../src/reports/guard/length-report.ts';
import { nearDuplicatePrompts } from '../../../src/reports/guard/near-duplicate-prompts.ts';
import { wordsOf } from '../../../src/text/words.ts';

it('keeps the first repeat by id in any order of the rows, and says when the judge contradicted itself', () => {
  const row = (rollout_id: string, final_text: string, reward: number) => ({
    rollout_id,
    prompt: 'p',
    final_text,
    reward,
  });
  const rows = [row('b', 'Same  reply.', 0), row('a', 'same reply.', 1), row('c', 'Another.', 1)];
  for (const input of [rows, rows.toReversed()]) {
    const { kept, rejected, report } = dedupeGroups(input);
    expect(kept.map(({ rollout_id }) => rollout_id).sort()).toEqual(['a', 'c']);
    expect(rejected).toMatchObject([{ row: { rollout_id: 'b' }, reason: 'duplicate' }]);
    expect(report).toMatchObject({ n_dropped: 1, groups_affected: 1, conflicting_rewards: 1 });
  }
});

it('one row object given twice stays once', () => {
  const row = { prompt: 'p', final_text: 'x' };
  expect(dedupeGroups([row, row]).kept).toEqual([row]);
});

it('finds the same near pairs as comparing all with all', () => {
  const prompt = fc.array(fc.constantFrom('a1', 'b2', 'c3', 'd4', 'e5', 'заказ'), { maxLength: 7 });
  const prompts = fc.uniqueArray(
    prompt.map((words) => words.join(' ')),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(prompts, fc.constantFrom(0.3, 0.5, 0.8, 1), (list, threshold) => {
      const sets = list.map((text) => new Set(wordsOf(text)));
      const near = sets.flatMap((a, i) =>
        sets.slice(i + 1).filter((b) => {
          const shared = [...a].filter((word) => b.has(word)).length;
          return a.size > 0 && b.size > 0 && shared / (a.size + b.size - shared) >= threshold - 1e-9;
        }),
      );
      expect(nearDuplicatePrompts(list, { threshold }).n_pairs).toBe(near.length);
    }),
  );
});

it('compares ten thousand prompts in seconds', () => {
  const words = Array.from({ length: 3000 }, (_, n) => `w${n}`);
  const prompts = Array.from({ length: 10_000 }, (_, n) =>
    Array.from({ length: 20 }, (_, k) => words[(n * 7919 + k * 104_729 + n * k * 31) % 3000]).join(' '),
  );
  nearDuplicatePrompts(prompts);
});

it('a run without privileged blocks was not checked, which is not clean', () => {
  expect(leakReport([{ final_text: 'x' }])).toMatchObject({ n_checked: 0, checked: false, rate: 0 });
  expect(leakReport([{ final_text: 'x' }]).summary).toContain('scrubbed');
  expect(privilegedLeak({ final_text: 'x' })).toBeNull();
  const privileged = { hidden_state: { note: 'The card was stolen' }, rubric: { text: 'never to be searched' } };
  expect(privilegedLeak({ final_text: 'never to be searched', privileged })).toEqual({});
  expect(privilegedLeak({ final_text: 'So  the CARD was stolen.', privileged })).toEqual({
    field: 'hidden_state.note',
    needle: 'the card was stolen',
  });
});

it('counts wide groups by the median of a task, whatever its wording', () => {
  const row = (prompt: string, size: number) => ({ scenario_id: 's', prompt, final_text: 'x'.repeat(size) });
  expect(lengthReport([row('p', 10), row('q', 10), row('r', 41)])).toMatchObject({
    n_groups_multi: 1,
    n_groups_wide_spread: 1,
  });
  expect(lengthReport([row('p', 10), row('q', 10), row('r', 40)])).toMatchObject({ n_groups_wide_spread: 0 });
});

it('drops what repeats the ask, the reply and the behaviour of an earlier row, and nothing else', () => {
  const row = fc.record({
    prompt: fc.constantFrom('a', 'b'),
    final_text: fc.constantFrom('Done.', 'done. ', 'I cannot.'),
    steps: fc.constantFrom([], [{ tool: 'x', arguments: {} }], [{ tool: 'y', arguments: {} }]),
    reward: fc.constantFrom(0, 1),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (given) => {
      const rows = given.map((one, at) => ({ ...one, rollout_id: `r${String(at).padStart(3, '0')}` }));
      const kinds = new Map<string, (typeof rows)[number]>();
      const kindOf = (one: (typeof rows)[number]) =>
        JSON.stringify([one.prompt, one.final_text.trim().toLowerCase(), one.steps]);
      const plain = rows.filter((one) => !kinds.has(kindOf(one)) && kinds.set(kindOf(one), one));
      const { kept, report } = dedupeGroups(rows);
      expect(kept).toEqual(plain);
      const conflicts = rows.filter((one) => kinds.get(kindOf(one))?.reward !== one.reward);
      expect(report.conflicting_rewards).toBe(conflicts.length);
    }),
  );
});
