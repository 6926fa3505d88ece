import type { Row } from '../rows/row.ts';

/** What kind of scorer speaks: a program, a model asked for a verdict, a trained reward model, a person. */
export type JudgeKind = 'rule' | 'judge' | 'reward_model' | 'human';

/** What a judge may say of itself. All of it travels on the rows it graded. */
export interface JudgeTraits {
  readonly name?: string;
  readonly version?: string;
  readonly kind?: JudgeKind;
  /** The model that answers, for a judge that is one. */
  readonly model?: string;
  /** Let it see `privileged`, the answer key. Without this the row it gets has no such block. */
  readonly usePrivileged?: boolean;
}

/**
 * Grade one row: true, false, a number from 0 to 1, or an object with `reward` (or `score`) and what else it has to say
 * (`reason`, `markers`, `failure_class`, any detail). At once or as a promise. The signal aborts when nobody waits any
 * more. The row is a copy: what a judge does to it changes nothing.
 */
export type JudgeFunction = ((row: Row, signal: AbortSignal) => unknown) & JudgeTraits;

/** A judge with state: a client, a rubric, a cache. */
export interface JudgeObject extends JudgeTraits {
  judge(row: Row, signal: AbortSignal): unknown;
}

/** Whoever grades. Programs (`verifiers/`) and model judges are of this one shape. */
export type Judge = JudgeFunction | JudgeObject;

/** The name that graded rows carry: the judge's own, `lambda_judge` for a function without one, else `judge`. */
export function judgeNameOf(judge: Judge): string {
  return judge.name || (typeof judge === 'function' ? 'lambda_judge' : 'judge');
}
