import fc from 'fast-check';
import { expect, it } from 'vitest';
import { behaviorState, regionProgress } from '../../../src/reports/traces/behavior-state.ts';
import { inferHarness } from '../../../src/reports/traces/infer-harness.ts';
import { dropLeakyRows, leakageReport } from '../../../src/reports/traces/leakage-report.ts';
import { flawRows, mineTraces } from '../../../src/reports/traces/mine-traces.ts';
import { openingShare } from '../../../src/reports/traces/opening-share.ts';
import { exemplarResultShapes, mineResultExemplars } from '../../../src/reports/traces/result-exemplars.ts';
import { splitPseudoProduction } from '../../../src/reports/traces/split-pseudo-production.ts';

const call = (tool: string, result: unknown) => ({ tool, arguments: { id: 1 }, result });
const bad = { prompt: 'a', steps: [call('pay', { status: 'timeout' })], reward: 0 };
const good = { prompt: 'b', steps: [call('pay', { status: 'ok', id: 7 })], reward: 1 };

it('points at flaws in the list that was given, junk and all', () => {
  const list = ['junk', good, bad];
  expect(mineTraces(list).flaw_rows).toEqual([2]);
  expect(flawRows(list)).toEqual([bad]);
});

it('moves whole tasks, keeps the order, and takes one of each flaw', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ scenario_id: fc.constantFrom('a', 'b', 'c', 'd'), reward: fc.constantFrom(0, 1), n: fc.nat() }),
      ),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (rows, fraction) => {
        const { production, remainder } = splitPseudoProduction(rows, { fraction });
        expect([...production, ...remainder].sort((a, b) => rows.indexOf(a) - rows.indexOf(b))).toEqual(rows);
        const tasks = new Set(production.map(({ scenario_id }) => scenario_id));
        expect(remainder.some(({ scenario_id }) => tasks.has(scenario_id))).toBe(false);
        if (rows.some(({ reward }) => reward === 0)) expect(production.some(({ reward }) => reward === 0)).toBe(true);
      },
    ),
  );
});

it('finds the closest source as a comparison of all with all does', () => {
  const words = fc
    .array(fc.constantFrom('refund', 'order', 'my', 'please', '12'), { maxLength: 5 })
    .map((list) => list.join(' '));
  fc.assert(
    fc.property(fc.array(words, { maxLength: 4 }), fc.array(words, { maxLength: 4 }), (asks, sources) => {
      const pairs = asks.flatMap((ask) => sources.map((source) => leakageReport([ask], [source]).max_similarity));
      expect(leakageReport(asks, sources).max_similarity).toBeCloseTo(Math.max(0, ...pairs), 9);
    }),
    { numRuns: 40 },
  );
});

it('drops copies, whatever their case, and keeps asks without text', () => {
  const rows = [{ prompt: 'Where is  MY order' }, { prompt: '' }, { prompt: 'sing' }];
  const { kept, report } = dropLeakyRows(rows, [[{ prompt: 'where is my order' }], '']);
  expect(kept).toEqual(rows.slice(1));
  expect(report).toMatchObject({ n: 3, n_sources: 1, n_dropped: 1, leaky: [{ row: 0, source: 0, similarity: 1 }] });
});

it('infers one type for whole and broken numbers, text where calls differ, and requires what every call gives', () => {
  const steps = [
    { a: 1, b: 'x', c: true },
    { a: 1.5, b: 2 },
  ].map((given) => ({ tool: 't', arguments: given }));
  expect(inferHarness([{ steps }]).tools[0]?.function.parameters).toEqual({
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'string' }, c: { type: 'boolean' } },
    required: ['a', 'b'],
  });
});

it('keeps one result of each shape and shapes mocks after them', () => {
  const list = [{ id: 1, name: 'n'.repeat(200) }];
  const exemplars = mineResultExemplars([
    { steps: [call('find', list), call('find', list), call('pay', { status: 'ok' })] },
  ]);
  expect(exemplars).toEqual({ find: [[{ id: 1, name: `${'n'.repeat(157)}...` }]] });
  expect(exemplarResultShapes(exemplars)).toEqual({ find: { results: [{ id: 1, name: `${'n'.repeat(157)}...` }] } });
});

it('sees who speaks first', () => {
  const first = (role: string) => ({ messages: [{ role: 'system' }, { role }] });
  expect(openingShare([first('assistant'), first('user'), { opener: 'Hi' }, {}])).toBe(0.5);
  expect(openingShare([])).toBe(0);
});

it('follows a region over two halves and into what was generated for it', () => {
  const state = behaviorState([bad, bad, good, { ...bad, reward: 1 }]);
  const region = state.regions.find(({ region: name }) => name === 'recover_after_timeout');
  expect(state.buckets).toEqual(['old', 'recent']);
  expect(region).toMatchObject({
    status: 'improving',
    history: [
      { bucket: 'old', fail_rate: 1 },
      { bucket: 'recent', fail_rate: 0 },
    ],
  });
  expect(state.regions.reduce((sum, { budget_share }) => sum + budget_share, 0)).toBeCloseTo(0.8, 3);
  expect(regionProgress(state, [bad, good])).toContainEqual({
    region: 'recover_after_timeout',
    status: 'improving',
    trace_fail_rate: 0,
    generated_n: 1,
    generated_fail_rate: 1,
  });
});
