import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decontaminate } from '../../../src/reports/guard/decontaminate/index.ts';
import { gramIndex } from '../../../src/text/gram-index.ts';
import { hashEmbed } from '../../../src/text/hash-embed.ts';

const long = 'please cancel my order and refund the full amount to my card today';
const rulesOf = (prompts: readonly string[], evals: readonly string[], options = {}) =>
  decontaminate(
    prompts.map((prompt) => ({ prompt })),
    evals.map((prompt) => ({ prompt })),
    options,
  ).rejected.map(({ row, reason }) => [row.prompt, reason]);

it.each([
  ['where is my order', 'Where is my order?'],
  ['Где мой заказ', 'где   мой заказ?'],
  ['今天天气怎么样', '今天，天气怎么样？'],
  ['أين طلبي', 'أين طلبي؟'],
  ['ｗｈｅｒｅ is it', 'where is it'],
])('%j repeats %j word for word', (prompt, text) => {
  expect(rulesOf([prompt], [text])).toEqual([[prompt, 'exact']]);
});

it('an evaluation prompt wrapped into short lines, or behind a greeting, is still found', () => {
  const wrapped = long.replaceAll(' ', '\n');
  const embedded = `Hello, how are you? ${'I wanted to ask something. '.repeat(4)}${long}`;
  expect(rulesOf([wrapped, embedded], [long])).toEqual([
    [wrapped, 'exact'],
    [embedded, 'near'],
  ]);
  expect(rulesOf([embedded], [long], { coverage: 'row' })).toEqual([]);
});

it('says which rules could not run, and shows rows that only look alike', () => {
  const { kept, report } = decontaminate([{ prompt: long.replace('today', 'tomorrow') }], [{ prompt: long }], {
    overlap: 0.95,
  });
  expect(kept).toHaveLength(1);
  expect(Object.keys(report.rules_skipped).sort()).toEqual(['same_task', 'semantic']);
  expect(report.lexical_likeness).toMatchObject({ n: 1 });
});

it('a task of the evaluation goes by its id, the scenario first', () => {
  const evals = [{ prompt: 'x y z', scenario_id: 's1', task_id: 't1' }];
  const rows = [
    { prompt: 'a b', scenario_id: 's1' },
    { prompt: 'a b', scenario_id: 's2', task_id: 't1' },
    { prompt: 'a b' },
  ];
  const { rejected, report } = decontaminate(rows, evals);
  expect(rejected).toMatchObject([{ row: rows[0], reason: 'same_task' }]);
  expect(report).toMatchObject({ n_same_task: 1, by_field: { task: 1 } });
});

it('never reads what an evaluated agent replied', () => {
  expect(decontaminate([{ prompt: long }], [{ prompt: 'q', final_text: long }]).kept).toHaveLength(1);
});

it('takes a local embedding as it takes a model', () => {
  const { rejected, report } = decontaminate(
    [{ prompt: 'cancel the order now' }],
    [{ prompt: 'cancel the order today' }],
    {
      embedder: hashEmbed,
      similarity: 0.6,
    },
  );
  expect(rejected).toMatchObject([{ reason: 'semantic' }]);
  expect(report.note_codes).toEqual(['semantic_ran']);
});

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 12 });

it('finds what the slow way finds, on either side, one text at a time, also while the index grows', () => {
  fc.assert(
    fc.property(
      words,
      fc.array(words, { maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(0, 0.3, 0.5, 0.8, 1),
      fc.constantFrom('either' as const, 'looked_up' as const, 'indexed' as const),
      (row, texts, n, overlap, side) => {
        const grams = (list: readonly string[]) =>
          list.slice(0, Math.max(0, list.length - n + 1)).map((_, at) => list.slice(at, at + n).join(' '));
        const share = (list: readonly string[], others: readonly string[]) => {
          const known = new Set(grams(others));
          const starts = grams(list).flatMap((gram, at) => (known.has(gram) ? [at] : []));
          return list.filter((_, at) => starts.some((start) => at >= start && at < start + n)).length / list.length;
        };
        const index = gramIndex({ n, overlap, side });
        texts.forEach((text, count) => {
          index.add(text);
          const slow = texts
            .slice(0, count + 1)
            .map((one, at) => ({ text: at, coverage: share(row, one), indexCoverage: share(one, row) }))
            .filter(({ coverage, indexCoverage }) => {
              if (coverage === 0) return false;
              return (side !== 'indexed' && coverage >= overlap) || (side !== 'looked_up' && indexCoverage >= overlap);
            });
          expect(index.lookUp(row).map(({ gram: _, ...one }) => one)).toEqual(slow);
        });
      },
    ),
  );
});

it('a thousand prompts of one template against a thousand take seconds', () => {
  const prompt = (n: number) =>
    `please cancel order ${n} and refund the full amount to my original card because it arrived broken ${n}`;
  const rows = (from: number) => Array.from({ length: 1000 }, (_, n) => ({ prompt: prompt(from + n) }));
  decontaminate(rows(0), rows(5000));
}, 30_000);
