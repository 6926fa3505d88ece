import type { Remark } from '../../core/remarks.ts';
import type { carryCalibration } from './calibrate.ts';
import type { TextGates } from './text-gates.ts';

interface Facts {
  readonly isEmptied: boolean;
  readonly gates: TextGates;
  readonly calibration: ReturnType<typeof carryCalibration>['report'];
  readonly eval_sourced: number;
  readonly eval_sourced_input: number;
  /** pass^k could be read off the rows as they came and cannot be any more. */
  readonly isWayLost: boolean;
  readonly fnRate: number;
}
const steadyN = 16; // rollouts a task from which its rate is believed, rlhfbook ch. 7
const tolerableFn = 0.1; // share of right answers a verifier may fail; house rule

/** Say what a reader must know before training on a selection. */
export function rlRemarks(facts: Facts): readonly Remark[] {
  const { gates, calibration, eval_sourced, eval_sourced_input } = facts;
  const remarks: (Remark | undefined)[] = [
    gates.applied ? undefined : { code: 'text_gates_skipped', text: `replies were not read: ${gates.reason}` },
    thinDifficulty(calibration.tasks),
    eval_sourced > 0
      ? {
          code: 'eval_sourced_selected',
          text: `${eval_sourced} selected rows came from an evaluation: training on them spoils it`,
        }
      : undefined,
    eval_sourced === 0 && eval_sourced_input > 0
      ? { code: 'eval_sourced_input', text: `${eval_sourced_input} rows came from an evaluation; none was selected` }
      : undefined,
    facts.isEmptied
      ? { code: 'nothing_selected', text: 'graded rows came in and none is left: see rejections for why' }
      : undefined,
    facts.isWayLost
      ? { code: 'kway_lost', text: 'groups became too small for pass^k: read it off the rows before selection' }
      : undefined,
    facts.fnRate > tolerableFn
      ? {
          code: 'verifier_false_negatives',
          text: `the verifier fails ${Math.round(facts.fnRate * 100)} % of right answers: hard tasks may only look hard`,
        }
      : undefined,
  ];
  return remarks.filter((remark) => remark !== undefined);
}

function thinDifficulty(tasks: Facts['calibration']['tasks']): Remark | undefined {
  const n = upperMedian(tasks.map((task) => task.n));
  if (n === undefined || n >= steadyN) return undefined;
  const half = upperMedian(tasks.map(({ pass_rate_ci95: ci }) => (ci ? (ci[1] - ci[0]) / 2 : 0))) ?? 0;
  return {
    code: 'thin_difficulty',
    text: `pass rates rest on ${n} rollouts a task (median), give or take ${half.toFixed(2)}: under ${steadyN} a task may be in the band by luck`,
  };
}

const upperMedian = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
