import type { Row } from '../rows/row.ts';
import type { Graded } from './apply-verdict.ts';
import type { Warnings } from './judge-watch.ts';

/** How much of an evaluation set the graded rows cover. */
export interface EvalCoverage {
  /** Distinct prompts of the set, case and whitespace folded. */
  readonly eval_set: number;
  readonly covered: number;
  /** The first 20 prompts that no row has, sorted. */
  readonly missing: readonly string[];
}

interface Run extends Warnings {
  readonly source: string;
  readonly judge_name: string;
  readonly scoring_run_id: string;
  readonly eval_coverage?: EvalCoverage;
}

/** Graded rows in the order of the input, and the views on them. A row without a verdict is in `unjudged`, never a failure. */
export class ScoredData<T extends Row = Row> {
  readonly rows: readonly Graded<T>[];
  readonly source: string;
  readonly judge_name: string;
  readonly scoring_run_id: string;
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
  readonly eval_coverage?: EvalCoverage;

  constructor(rows: readonly Graded<T>[], run: Run) {
    this.rows = rows;
    this.source = run.source;
    this.judge_name = run.judge_name;
    this.scoring_run_id = run.scoring_run_id;
    this.warnings = run.warnings;
    this.warning_codes = run.warning_codes;
    if (run.eval_coverage) this.eval_coverage = run.eval_coverage;
  }

  /** Rows with reward 1. */
  passes(): readonly Graded<T>[] {
    return this.rows.filter(({ reward }) => reward === 1);
  }
  /** Rows with reward 0. */
  failures(): readonly Graded<T>[] {
    return this.rows.filter(({ reward }) => reward === 0);
  }
  /** The failures, as what the next round is aimed with. */
  failedTraces(): readonly Graded<T>[] {
    return this.failures();
  }
  /** Rows with a reward between 0 and 1. */
  partials(): readonly Graded<T>[] {
    return this.rows.filter(({ reward }) => reward !== null && reward > 0 && reward < 1);
  }
  /** Rows whose judge did not answer, or not readably. */
  unjudged(): readonly Graded<T>[] {
    return this.rows.filter(({ judge_status }) => judge_status !== 'ok');
  }
  /** Judged rows with a reward from `low` to `high`; `inclusive: false` leaves both ends out. */
  byRewardRange(low: number, high: number, { inclusive = true } = {}): readonly Graded<T>[] {
    return this.rows.filter(({ reward }) => {
      if (reward === null) return false;
      return inclusive ? reward >= low && reward <= high : reward > low && reward < high;
    });
  }
}
