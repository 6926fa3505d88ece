import type { Judgment } from './judgment.ts';

/**
 * Write a judgment onto a row, in place, and return the row. Nothing of the verdict before survives: a reason, a failure
 * class or details that the new one does not have are deleted.
 */
export function attachJudgment<T extends Record<string, unknown>>(row: T, judgment: Judgment): T {
  const { scorer, reward, status, reason, failure_class, evidence } = judgment;
  const meta = {
    ...evidence,
    ...(scorer.version ? { version: scorer.version } : {}),
    ...(scorer.kind === 'judge' ? {} : { scorer_kind: scorer.kind }),
  };
  const written: Record<string, unknown> = row;
  const write = (key: string, value: unknown): void => {
    if (value) written[key] = value;
    else delete written[key];
  };
  written['reward'] = reward === 0 ? 0 : reward; // -0 is 0
  write('reason', reason);
  write('grader_reason', undefined);
  write('failure_class', failure_class);
  written['judge_name'] = scorer.name;
  written['judge_status'] = status;
  write('judge_meta', Object.keys(meta).length > 0 ? meta : undefined);
  return row;
}
