import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Case, readCases } from './case.ts';
import { differ } from './compare.ts';
import { disputes, goldenReport } from './report.ts';
import { loadAdapters } from './run-case.ts';

const adapters = await loadAdapters();
const folderOf = async (cases: readonly Case[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'golden-'));
  await writeFile(join(folder, 'cases.json'), JSON.stringify(cases));
  return folder;
};

/** The same expectation with one value changed: the first plain leaf, or all of it where there is none. */
function altered(expected: unknown): unknown {
  if (typeof expected === 'number') return expected + 1000;
  if (typeof expected === 'string') return `${expected} altered`;
  if (typeof expected === 'boolean') return !expected;
  if (Array.isArray(expected)) return expected.length > 0 ? [altered(expected[0]), ...expected.slice(1)] : ['altered'];
  const [key] = Object.keys(expected ?? {}).filter((name) => !name.startsWith('$'));
  if (key === undefined) return 'altered';
  const whole = expected as Record<string, unknown>;
  return { ...whole, [key]: altered(whole[key]) };
}

it('one altered value in the first case of each function fails exactly that often', async () => {
  const placed = await readCases(['test/golden/cases']);
  const isDisputed = await disputes();
  const cases = placed.map(({ golden }) => golden).filter((golden) => !isDisputed(golden));
  const first = new Map(cases.map((golden) => [golden.function, golden] as const).reverse());
  const whole = await goldenReport([await folderOf([...first.values()])], adapters);
  expect(whole.isGood).toBe(true);
  const broken = [...first.values()].map((golden) => ({ ...golden, expect: altered(golden.expect) }));
  const report = await goldenReport([await folderOf(broken)], adapters);
  expect(report.failed).toBe(first.size);
  expect(report.lines.at(-1)).toBe(`0 passed, ${first.size} failed`);
}, 60_000);

it('no case found is a failure, an unknown function too unless only known ones are asked for', async () => {
  const none = await goldenReport([await folderOf([])], adapters);
  expect([none.isGood, none.lines.at(-1)]).toEqual([false, '0 passed, 0 failed']);
  const folder = await folderOf([{ name: 'x', function: 'noSuchFunction', input: [], options: {}, expect: 1 }]);
  const report = await goldenReport([folder], adapters);
  expect([report.isGood, report.failed]).toEqual([false, 1]);
  const known = await goldenReport([folder], adapters, { known: true });
  expect([known.isGood, known.lines[0]]).toEqual([false, '1 cases of unknown functions left out']);
});

it.each<[string, unknown, unknown, Partial<Case>, boolean]>([
  ['a subset is enough', { a: 1, b: 2 }, { a: 1 }, {}, true],
  ['exact allows no other key', { a: 1, b: 2 }, { a: 1 }, { match: 'exact' }, false],
  ['undefined is absent', { a: 1, b: undefined }, { a: 1 }, { match: 'exact' }, true],
  ['null is not absent', {}, { a: null }, {}, false],
  ['unless nulls are absent', {}, { a: null }, { nulls: 'absent' }, true],
  ['true is not 1', true, 1, {}, false],
  ['numbers within the tolerance', 0.52, 0.5, { tolerance: 0.05 }, true],
  ['a tolerance by dotted path', { ci: { lo: [1.1] } }, { ci: { lo: [1] } }, { tolerance: { 'ci.lo': 0.2 } }, true],
  [
    'a tolerance covers what is below its key',
    { ci: { lo: 1.1 } },
    { ci: { lo: 1 } },
    { tolerance: { ci: 0.2 } },
    true,
  ],
  ['another key keeps the default', { ci: 1.1 }, { ci: 1 }, { tolerance: { lo: 0.2 } }, false],
  ['several matchers must all hold', 3, { $gt: 1, $lt: 3 }, {}, false],
  ['plain keys beside a matcher are compared', { a: 1, b: 2 }, { $absent: ['c'], a: 2 }, {}, false],
  ['a set has none more', ['a', 'b', 'c'], { $set: ['b', 'a'] }, {}, false],
  ['includes allows more', [{ a: 1, b: 2 }, 3], { $includes: [{ a: 1 }] }, { match: 'exact' }, true],
  ['excludes holds where there is no text', undefined, { $excludes: ['x'] }, {}, true],
  ['counts', [1, 2], { $count: { $gte: 2 }, $last: 2 }, {}, true],
  ['arguments are compared as values', { arguments: '{"a": 1}' }, { arguments: '{"a":1}' }, {}, true],
  ['other text is not', { text: '{"a": 1}' }, { text: '{"a":1}' }, {}, false],
  ['an unknown matcher never holds', 1, { $almost: 1 }, {}, false],
])('%s', (_name, got, want, rules, holds) => {
  expect(differ(got, want, rules) === undefined).toBe(holds);
});
