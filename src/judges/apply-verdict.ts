import { randomBytes } from 'node:crypto';
import { idOf } from '../core/ids.ts';
import { isObject } from '../core/json-object.ts';
import type { Row } from '../rows/row.ts';
import type { JudgeStatus } from '../rows/verdict.ts';
import { type Judge, type JudgeKind, judgeNameOf } from './judge.ts';
import type { Verdict } from './normalize-judge-result.ts';

/** What every row of one grading run is stamped with. */
export interface Stamp {
  readonly judgeName: string;
  readonly runId: string;
  /** `grade` or `eval`. */
  readonly source: string;
  readonly kind?: JudgeKind | undefined;
  readonly version?: string | undefined;
  /** The model under test. */
  readonly model?: string | undefined;
}

/** A row with its verdict. */
export type Graded<T extends Row = Row> = T & {
  readonly reward: number | null;
  readonly judge_status: JudgeStatus;
  readonly judge_name: string;
  readonly lineage: Readonly<Record<string, unknown>>;
};

interface StampOptions {
  readonly judgeName?: string | undefined;
  readonly runId?: string | undefined;
  readonly source?: string | undefined;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
}

/** The stamp of a run: what the options say, else what the judge says of itself. */
export function stampOf(judge: Judge, options: StampOptions, runId: string): Stamp {
  const { judgeName = judgeNameOf(judge), source = 'grade', version = judge.version, model } = options;
  return { judgeName, source, runId: options.runId ?? runId, kind: judge.kind, version, model };
}

/** A run id that nothing had before. */
export const freshRunId = () => `score_${randomBytes(6).toString('hex')}`;
/** The run id of a stream: the same judge over the same input gives the same rows, after any restart. */
export function streamRunId(judge: Judge, { judgeName, source, version, model }: StampOptions): string {
  const parts = [judgeName ?? judgeNameOf(judge), version ?? judge.version ?? '', source ?? '', model ?? ''];
  return `score_${idOf(parts, 12)}`;
}

/**
 * Write a verdict on a new row. All of an earlier verdict goes first, so that a pass never keeps a failure class; markers
 * are measurements, not a verdict, and are merged, the judge's over the row's. `parent` is what the lineage names when the
 * row has neither `scenario_id` nor `id`. Cost: one flat copy of the row.
 *
 * @source house rule
 */
export function applyVerdict<T extends Row>(
  row: T,
  verdict: Verdict,
  stamp: Stamp,
  parent: (row: Row) => string,
): Graded<T> {
  const { reward: _1, reason: _2, grader_reason: _3, label_source: _4, judge_name: _5, ...most } = row;
  // `qwen_reward` is the older name of the reward: left there, a row without a verdict would count as judged
  const { judge_status: _6, judge_meta: _7, failure_class: _8, qwen_reward: _9, ...rest } = most;
  const graded: Record<string, unknown> = rest;
  graded['reward'] = verdict.reward;
  if (verdict.reason) graded['reason'] = verdict.reason;
  graded['judge_status'] = verdict.judge_status;
  graded['judge_name'] = stamp.judgeName;
  const meta = withKind(verdict.judge_meta, stamp.kind);
  if (meta) graded['judge_meta'] = meta;
  const { failure_class, markers } = verdict.judge_meta;
  if (failure_class) graded['failure_class'] = String(failure_class);
  if (isObject(markers)) graded['markers'] = { ...fields(row.markers), ...markers };
  graded['lineage'] = lineage(row, stamp, parent);
  return graded as Graded<T>; // every field of T that is no verdict, and the verdict
}

function withKind(meta: Verdict['judge_meta'], kind: JudgeKind | undefined) {
  if (kind !== undefined && kind !== 'judge') return Object.assign({ scorer_kind: kind }, meta, { scorer_kind: kind });
  for (const _key in meta) return meta;
  return undefined;
}

function lineage(row: Row, { runId, source, judgeName, model, version }: Stamp, parent: (row: Row) => string) {
  const old = fields(row['lineage']);
  const prior = old['scoring_run_id'];
  return {
    ...old,
    scoring_run_id: runId,
    source,
    judge: judgeName,
    parent: String(row.scenario_id || row['id'] || parent(row)),
    ...(model === undefined ? {} : { model }),
    ...(version === undefined ? {} : { judge_version: version }),
    ...(prior && prior !== runId ? { prior_scoring_run_id: prior } : {}),
  };
}

const fields = (value: unknown) => (isObject(value) ? value : {});
