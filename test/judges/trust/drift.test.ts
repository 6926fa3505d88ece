import { from, lastValueFrom, toArray } from 'rxjs';
import { expect, it } from 'vitest';
import { foldRows } from '../../../src/core/fold.ts';
import { agreementFold } from '../../../src/judges/trust/agreement-fold.ts';
import { calibrationFold } from '../../../src/judges/trust/calibration.ts';
import { judgeAgreement } from '../../../src/judges/trust/judge-agreement.ts';
import { watchJudges } from '../../../src/operators/watch-judges.ts';
import type { Row } from '../../../src/rows/row.ts';

const labelled = (n: number, isRight: boolean, more: Partial<Row> = {}): Row => {
  const gold = n % 2;
  return {
    scenario_id: `t${n % 25}`,
    reward: isRight ? gold : 1 - gold,
    gold_reward: gold,
    gold_kind: 'human',
    judge_name: 'j',
    ...more,
  };
};
const watch = (rows: readonly Row[], options = {}) =>
  lastValueFrom(from(rows).pipe(watchJudges({ window: 50, every: 10, ...options }), toArray()));

it('a judge that stays as good raises nothing, and one that gets worse raises its alarm once', async () => {
  const good = Array.from({ length: 200 }, (_, n) => labelled(n, n % 10 !== 0));
  expect((await watch(good)).map(({ type }) => type)).toEqual(Array.from({ length: 16 }, () => 'agreement'));
  const worse = [...good, ...Array.from({ length: 100 }, (_, n) => labelled(n, n % 2 === 0 && n % 3 === 0))];
  const alarms = (await watch(worse)).filter(({ type }) => type === 'alarm');
  expect(alarms.length).toBeGreaterThan(0);
  expect(alarms.length).toBeLessThan(3); // one for agreement, one for kappa, not one a report
  expect(alarms.at(-1)?.drifted).toContain('agreement');
  expect(alarms.every(({ at }) => at > 200)).toBe(true);
});

it('each version of a judge is measured by itself, and rows without a label say nothing', async () => {
  const rows = Array.from({ length: 100 }, (_, n) => [
    labelled(n, true, { judge_meta: { version: 'a' } }),
    labelled(n, n % 4 === 0, { judge_meta: { version: 'b' } }),
    { scenario_id: 'x', reward: 1, judge_name: 'j' },
    labelled(n, false, { gold_kind: 'model' }),
  ]).flat();
  const found = await watch(rows);
  expect(new Set(found.filter(({ type }) => type === 'alarm').map(({ judge_version }) => judge_version))).toEqual(
    new Set(['b']),
  );
  expect(found.filter(({ judge_version }) => judge_version === '')).toEqual([]);
});

it('the rolling figures are those of the whole report', () => {
  const rows = Array.from({ length: 60 }, (_, n) => labelled(n, n % 7 !== 0));
  const { agreement, kappa, ac1, ci95, n, confusion } = judgeAgreement(rows);
  expect(foldRows(agreementFold, rows)).toMatchObject({ agreement, kappa, ac1, ci95, n, confusion });
});

it('calibration holds what was said against what is right', () => {
  const rows = Array.from({ length: 40 }, (_, n) => ({
    reward: 1,
    judge_meta: { probability: 0.72 },
    gold_reward: n % 4 === 0 ? 0 : 1,
  }));
  expect(foldRows(calibrationFold, [...rows, { reward: 0.1, gold_reward: 0 }, { reward: 1 }])).toMatchObject([
    { said: 0.1, right: 0, n: 1 },
    { said: 0.72, right: 0.75, n: 40 },
  ]);
});
