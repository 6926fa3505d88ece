import { expect, it } from 'vitest';
import { rewardCorrelations } from '../../../src/reports/guard/reward-correlations.ts';
import { styleMarkers } from '../../../src/reports/guard/style-markers.ts';
import { styleReport } from '../../../src/reports/guard/style-report.ts';
import { pearson } from '../../../src/stats/pearson.ts';
import { phrases } from '../../../src/text/phrases.ts';

it.each([
  ['I’m  NOT\nsure.', true],
  ['hi’m not sure', false],
  ["I'm not surely", false],
])('a phrase is found whatever its apostrophes, case and spaces, at word edges only: %j', (text, found) => {
  expect(phrases(["i'm not sure"]).test(text)).toBe(found);
});

it('a phrase with the signs of a pattern is taken as it stands', () => {
  expect(phrases(['a.b (c)*']).test('x a.b (c)* y')).toBe(true);
  expect(phrases(['a.b']).test('axb')).toBe(false);
  expect(phrases([]).test('anything')).toBe(false);
});

it('stamps copies and keeps what was there', () => {
  const row = { final_text: 'Certainly! Done.', markers: { mine: 0.5 } };
  expect(styleMarkers([row])[0]?.markers).toMatchObject({ mine: 0.5, no_boilerplate: 0, answered: 1 });
  expect(row.markers).toEqual({ mine: 0.5 });
});

it('a tic that the reward punishes is not flagged; one that no row shows is degenerate', () => {
  const rows = Array.from({ length: 8 }, (_, n) => ({
    prompt: `p${n}`,
    final_text: n % 2 === 0 ? 'It depends.' : 'Yes.',
    reward: n % 2,
  }));
  const { markers, warning_codes } = styleReport(rows);
  expect(markers['no_hedging']).toMatchObject({ reward_corr: -1, flagged: false, degenerate: false, not_stamped: 8 });
  expect(markers['no_apology']).toMatchObject({ ci95: null, degenerate: true });
  expect(warning_codes).toEqual([]);
  expect(rewardCorrelations(rows).flagged).toMatchObject({ hedging: -1 });
});

it('a column that does not vary correlates with nothing', () => {
  expect(pearson([1, 1, 1], [0, 1, 0])).toBeNull();
  expect(pearson([1, 2], [1, 2])).toBeNull();
  expect(pearson([1, 2, 3], [2, 4, 6])).toBeCloseTo(1);
});
