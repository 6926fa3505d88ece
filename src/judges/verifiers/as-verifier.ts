import type { Row } from '../../rows/row.ts';
import { type Judge, judgeNameOf } from '../judge.ts';
import { normalizeJudgeResult } from '../normalize-judge-result.ts';
import { rowCopy } from '../row-copy.ts';
import { toVerifier, Unjudged, type Verifier } from './verifier.ts';

/**
 * Take any judge as a verifier: a verifier as it is, another judge by the reward it gives (`row -> number` or an object).
 * Without a verdict it says why, and it never throws.
 */
export function asVerifier(judge: Judge): Verifier {
  if (isVerifier(judge)) return judge;
  return toVerifier(judgeNameOf(judge), undefined, (row, signal) => {
    const copy = rowCopy(row, judge.usePrivileged === true);
    const raw = typeof judge === 'function' ? judge(copy, signal) : judge.judge(copy, signal);
    return raw instanceof Promise ? raw.then(finding) : finding(raw);
  });
}

function finding(raw: unknown) {
  const { reward, reason, judge_status, judge_meta } = normalizeJudgeResult(raw);
  if (judge_status !== 'ok') return new Unjudged(judge_status, reason || judge_status, judge_meta);
  return { score: reward, reason, meta: judge_meta };
}

const isVerifier = (judge: Judge): judge is Verifier =>
  typeof judge === 'function' && typeof (judge as { verify?: (row: Row) => unknown }).verify === 'function';
