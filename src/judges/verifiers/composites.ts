import { TracemillError } from '../../core/errors.ts';
import type { Row } from '../../rows/row.ts';
import type { Judge } from '../judge.ts';
import { asVerifier } from './as-verifier.ts';
import { toVerifier, Unjudged, type Verification, type Verifier, wordFor } from './verifier.ts';

interface CompositeOptions {
  readonly name?: string;
}
type Parts = readonly Judge[];

/**
 * Take the lowest of several verdicts, and its reason; no verdict when one of them has none. The parts keep their own time
 * limits.
 */
export function all(parts: Parts, { name = 'All' }: CompositeOptions = {}): Verifier {
  return composite(name, parts, (verdicts) => {
    const open = verdicts.find(({ reward }) => reward === null);
    if (open) return unjudgedAs(open, verdicts);
    const lowest = verdicts.reduce((low, one) => ((one.reward ?? 0) < (low.reward ?? 0) ? one : low));
    return { score: lowest.reward, reason: lowest.reason, meta: { parts: verdicts.map(partOf) } };
  });
}
export const All = all;

/** Take the highest of the verdicts there are; no verdict when there is none. */
export function any(parts: Parts, { name = 'Any' }: CompositeOptions = {}): Verifier {
  return composite(name, parts, (verdicts) => {
    const judged = verdicts.filter(({ reward }) => reward !== null);
    const [first] = verdicts;
    if (judged.length === 0) return first ? unjudgedAs(first, verdicts) : new Unjudged('missing_reward', 'no parts');
    const highest = judged.reduce((high, one) => ((one.reward ?? 0) > (high.reward ?? 0) ? one : high));
    return { score: highest.reward, reason: highest.reason, meta: { parts: verdicts.map(partOf) } };
  });
}
export const Any = any;

/**
 * Take the weighted mean of several verdicts, to four digits; no verdict when one of them has none.
 *
 * @throws TM_OPTIONS - when built, if a weight is negative or not finite, or all are 0
 */
export function weighted(
  parts: readonly (readonly [verifier: Judge, weight: number])[],
  { name = 'Weighted' }: CompositeOptions = {},
): Verifier {
  const weights = parts.map(([, weight]) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (weights.some((weight) => !(weight >= 0)) || (parts.length > 0 && !(total > 0 && total < Infinity)))
    throw new TracemillError('TM_OPTIONS', 'Weighted: weights must be 0 or more with a positive sum');
  const judges = parts.map(([judge]) => judge);
  return composite(name, judges, (verdicts) => {
    const open = verdicts.find(({ reward }) => reward === null);
    if (open) return unjudgedAs(open, verdicts);
    const mean = verdicts.reduce((sum, { reward }, n) => sum + (weights[n] ?? 0) * (reward ?? 0), 0) / total;
    const score = mean < 1e-9 ? 0 : mean > 1 - 1e-9 ? 1 : Math.round(mean * 1e4) / 1e4;
    return { score, reason: `${name}: ${wordFor(score)}`, meta: { parts: namedParts(verdicts) } };
  });
}
export const Weighted = weighted;

function composite(name: string, parts: Parts, combine: (verdicts: readonly Verification[]) => unknown): Verifier {
  const verifiers = parts.map(asVerifier);
  return toVerifier(name, undefined, (row: Row, signal) => {
    if (verifiers.length === 0) return new Unjudged('missing_reward', 'no parts');
    const verdicts = verifiers.map((verifier) => verifier(row, signal));
    return verdicts.some((verdict) => verdict instanceof Promise)
      ? Promise.all(verdicts).then(combine)
      : combine(verdicts as Verification[]); // none is a promise
  });
}

const unjudgedAs = ({ judge_status = 'missing_reward', reason }: Verification, verdicts: readonly Verification[]) =>
  new Unjudged(judge_status, reason, { parts: verdicts.map(partOf) });

const nameOf = ({ judge_meta }: Verification) => String(judge_meta['verifier'] ?? 'judge');
const partOf = (verdict: Verification) => {
  const { reward, reason, judge_status } = verdict;
  return { verifier: nameOf(verdict), reward, reason, ...(judge_status && { judge_status }) };
};

/** By name; the second of a name is `name#2`. */
function namedParts(verdicts: readonly Verification[]) {
  const seen = new Map<string, number>();
  return Object.fromEntries(
    verdicts.map((verdict) => {
      const name = nameOf(verdict);
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      return [times === 1 ? name : `${name}#${times}`, verdict.reward];
    }),
  );
}
