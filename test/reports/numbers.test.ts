import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accumulate, type Fold } from '../../src/core/fold.ts';
import { agreementFold } from '../../src/judges/trust/agreement-fold.ts';
import { calibrationFold } from '../../src/judges/trust/calibration.ts';
import { judgeAgreement } from '../../src/judges/trust/judge-agreement.ts';
import { compareRuns, compareRunsFold } from '../../src/reports/compare-runs.ts';
import { curriculum, curriculumFold } from '../../src/reports/curriculum/curriculum.ts';
import { retireSolved, solvedTasksFold } from '../../src/reports/curriculum/retire-solved.ts';
import { deltaFold, deltaReport } from '../../src/reports/delta/index.ts';
import { evalVariance, evalVarianceFold } from '../../src/reports/eval-variance.ts';
import { groupSignal, groupSignalFold } from '../../src/reports/group-signal.ts';
import { logprobFold, logprobReport } from '../../src/reports/logprobs/logprob-report.ts';
import { meanKl, meanKlFold } from '../../src/reports/logprobs/mean-kl.ts';
import { stalenessFold, stalenessReport } from '../../src/reports/logprobs/staleness-report.ts';
import { markerSummary, markerSummaryFold } from '../../src/reports/marker-summary.ts';
import { metricSummary, metricSummaryFold } from '../../src/reports/metric-summary.ts';
import { passAt, passAtFold } from '../../src/reports/pass-at/index.ts';
import { refusalFold, refusalReport } from '../../src/reports/refusal-report.ts';
import { holdoutSize, holdoutSizeFold } from '../../src/reports/sizing/holdout-size.ts';
import { stageFold, stageReport } from '../../src/reports/stage-report.ts';
import type { Row } from '../../src/rows/row.ts';
import { anyRow } from '../fold-law.ts';

/** One function of the numbers: over lists, and as an accumulator of rows that say which side they are of. */
interface Numbers {
  readonly whole: (before: readonly Row[], after: readonly Row[]) => unknown;
  readonly fold: Fold<never, unknown, unknown>;
  /** What the accumulator is given of a row. */
  readonly given?: (row: Row, isAfter: boolean) => unknown;
}
const numbers = <In, State, Out>(
  whole: Numbers['whole'],
  fold: Fold<In, State, Out>,
  given?: Numbers['given'],
): Numbers => ({ whole, fold: fold as unknown as Numbers['fold'], ...(given && { given }) });
const one = (made: (rows: readonly Row[]) => unknown) => (before: readonly Row[], after: readonly Row[]) =>
  made([...before, ...after]);
const sided = (row: Row, isAfter: boolean) => ({ side: isAfter ? 'after' : 'before', row });

const table: Readonly<Record<string, Numbers>> = {
  passAt: numbers(
    one((rows) => passAt(rows, { minK: 2 })),
    passAtFold({ minK: 2 }),
  ),
  groupSignal: numbers(
    one((rows) => groupSignal(rows)),
    groupSignalFold(),
  ),
  metricSummary: numbers(
    one((rows) => metricSummary(rows, { metric: 'grounded' })),
    metricSummaryFold({ metric: 'grounded' }),
  ),
  markerSummary: numbers(
    one((rows) => markerSummary(rows)),
    markerSummaryFold(),
  ),
  compareRuns: numbers(
    (a, b) => compareRuns(a, b),
    compareRunsFold(),
    (row, isAfter) => ({ side: isAfter ? 'b' : 'a', row }),
  ),
  deltaReport: numbers(
    (before, after) => deltaReport(before, after, { target: 'grounded', mustNotRegress: ['polite'] }),
    deltaFold({ target: 'grounded', mustNotRegress: ['polite'] }),
    sided,
  ),
  evalVariance: numbers(
    one((rows) => evalVariance([rows])),
    evalVarianceFold(),
  ),
  holdoutSize: numbers(
    (before, after) => holdoutSize(0.1, { before: [...before], ...(after.length > 0 && { after: [...after] }) }),
    holdoutSizeFold(0.1),
    sided,
  ),
  refusalReport: numbers(
    one((rows) => refusalReport(rows)),
    refusalFold,
  ),
  curriculum: numbers(
    one((rows) => curriculum(rows)),
    curriculumFold(),
  ),
  retireSolved: numbers(
    one((rows) => retireSolved(rows).report.retired),
    solvedTasksFold(),
  ),
  logprobReport: numbers(
    one((rows) => logprobReport(rows)),
    logprobFold,
  ),
  meanKl: numbers(
    one((rows) => meanKl(rows)),
    meanKlFold(),
  ),
  stalenessReport: numbers(
    one((rows) => stalenessReport(rows)),
    stalenessFold({}),
  ),
  stageReport: numbers(
    one((rows) => stageReport(rows)),
    stageFold,
  ),
  judgeAgreement: numbers(
    one((rows) => agreed(rows)),
    {
      ...agreementFold,
      end: (state) => agreed2(agreementFold.end(state)),
    },
  ),
};

/** The figures that the report and the accumulator share. */
function agreed(rows: readonly Row[]) {
  return agreed2(judgeAgreement(rows));
}
const agreed2 = ({ n, n_tasks, agreement, ci95, kappa, ac1, confusion }: ReturnType<typeof agreementFold.end>) => ({
  n,
  n_tasks,
  agreement,
  ci95,
  kappa,
  ac1,
  confusion,
});

const more = fc.record(
  {
    ref_logprob: fc.constantFrom(-2, -4.25, -20.5, Number.NaN),
    gold_reward: fc.constantFrom<unknown>(0, 1, null),
    stage: fc.constantFrom('sft', 'rl', 'eval'),
    messages: fc.constantFrom([{ role: 'assistant', content: "I'm sorry, I cannot help with that." }]),
  },
  { requiredKeys: [] },
);
const row = fc.tuple(anyRow, more).map(([a, b]) => ({ ...a, ...b, gold_kind: 'human' }) as unknown as Row);
const placed = fc.array(fc.record({ row, isAfter: fc.boolean(), part: fc.nat(3) }), { maxLength: 60 });

/** What a function answers, or what it throws. */
function outcome(made: () => unknown): unknown {
  try {
    return made();
  } catch (error) {
    return (error as Error).message;
  }
}

describe('every function of the numbers gives the same figures over lists and as mergeable accumulators', () => {
  it.each(Object.entries(table))('%s', (_, { whole, fold, given = (one) => one }) => {
    fc.assert(
      fc.property(placed, (rows) => {
        const side = (isAfter: boolean) => rows.filter((at) => at.isAfter === isAfter).map((at) => at.row);
        const parts = [0, 1, 2, 3].map((part) => {
          const accumulator = accumulate(fold);
          for (const at of rows.filter((one) => one.part === part)) accumulator.add(given(at.row, at.isAfter) as never);
          return accumulator;
        });
        const [last, ...others] = parts.toReversed();
        for (const other of others) last?.merge(other);
        expect(outcome(() => last?.end())).toEqual(outcome(() => whole(side(false), side(true))));
      }),
    );
  });

  it('calibration', () => {
    fc.assert(
      fc.property(placed, (rows) => {
        const [all, left, right] = [1, 2, 3].map(() => accumulate(calibrationFold));
        for (const { row: taken, isAfter } of rows) {
          all?.add(taken);
          (isAfter ? right : left)?.add(taken);
        }
        if (right) left?.merge(right);
        expect(left?.end()).toEqual(all?.end());
      }),
    );
  });
});
