import { z } from 'zod';
import { isObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { numericOf } from '../../rows/numeric.ts';
import type { Row } from '../../rows/row.ts';
import type { JudgeStatus } from '../../rows/verdict.ts';
import { broken } from '../call-judge.ts';
import type { JudgeTraits } from '../judge.ts';
import { candidateText } from './candidate-text.ts';
import { findGold, type Gold } from './reference-value.ts';

/** What a verifier says of a row. `judge_status` is there when the reward is null, and says why. */
export interface Verification {
  readonly reward: number | null;
  readonly reason: string;
  readonly judge_meta: Readonly<Record<string, unknown>>;
  readonly judge_status?: Exclude<JudgeStatus, 'ok'>;
}

/** A judge that is a program. It never throws for a row; `verify` is the same function. */
export interface Verifier extends JudgeTraits {
  (row: Row, signal?: AbortSignal): Verification | Promise<Verification>;
  readonly name: string;
  readonly kind: 'rule';
  readonly usePrivileged: true;
  verify(row: Row, signal?: AbortSignal): Verification | Promise<Verification>;
}

/** Why a check could not judge. */
export class Unjudged {
  readonly status: Exclude<JudgeStatus, 'ok'>;
  readonly reason: string;
  readonly meta: Readonly<Record<string, unknown>>;
  constructor(status: Unjudged['status'], reason: string, meta: Unjudged['meta'] = {}) {
    this.status = status;
    this.reason = reason;
    this.meta = meta;
  }
}
/** A score with what is to be said of it. */
export interface Finding {
  readonly score: unknown;
  readonly reason: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}
/** A score: true, false, a number, text that spells one, `[score, reason]`; null when the check could not judge. */
export type Score = boolean | number | string | null | readonly [score: unknown, reason: string];
type Answer = unknown | Finding | Unjudged;
/** Compare a candidate with the gold; reasons are made of the candidate and `referenceWord`, never of the gold itself. */
export type Check = (candidate: string, gold: Gold, row: Row, signal: AbortSignal) => Answer | Promise<Answer>;

/** Options of every verifier: spread them into its own. */
export const verifierOptions = {
  name: z.string().min(1).optional().describe('Name on the rows; the verifier’s own by default.'),
  field: z.string().min(1).optional().describe('Where the gold is: a column, or a dotted path.'),
  timeoutMs: z.int().min(1).default(1000).describe('A check that takes longer has no verdict, in ms.'),
};
type VerifierOptions = z.ZodObject<typeof verifierOptions>;

export interface VerifierSpec<Options extends VerifierOptions> {
  /** The name in the field, which rows carry. */
  readonly name: string;
  readonly options: Options;
  /** Without a gold there is no verdict. */
  readonly needsGold: boolean;
  /** Called once, when the verifier is built: it throws on a bad pattern or word. */
  readonly check: (options: z.output<Options>) => Check;
}
type Config<Options extends z.ZodObject> =
  Record<never, never> extends z.input<Options> ? [z.input<Options>?] : [z.input<Options>];

/** Declare a verifier: options in, a judge out. */
export function defineVerifier<Options extends VerifierOptions>(spec: VerifierSpec<Options>) {
  const build = (...[config]: Config<Options>): Verifier => {
    const options = parseOptions(spec.name, spec.options, config ?? {});
    const { name = spec.name, field, timeoutMs } = options as z.output<VerifierOptions>; // Options extends it
    const check = spec.check(options);
    return toVerifier(name, timeoutMs, (row, signal) => {
      const gold = findGold(row, field);
      if (spec.needsGold && gold.value === null) return new Unjudged('missing_reward', 'no reference');
      return check(candidateText(row), gold, row, signal);
    });
  };
  return Object.assign(build, { spec });
}

/** Make a verifier of whatever answers for a row: the contract of the verdict, the time limit, and nothing thrown. */
export function toVerifier(
  name: string,
  timeoutMs: number | undefined,
  answer: (row: Row, signal: AbortSignal) => unknown,
): Verifier {
  let idle = new AbortController(); // an answer that comes at once leaves it to the next
  const verify = (row: Row, lost?: AbortSignal): Verification | Promise<Verification> => {
    const stop = idle;
    try {
      const found = answer(row, stop.signal);
      if (!(found instanceof Promise)) return verification(name, found);
      idle = new AbortController();
      return limited(name, found, timeoutMs, stop, lost);
    } catch (error) {
      return failed(name, error);
    }
  };
  const traits = { kind: 'rule', usePrivileged: true, verify } as const;
  Object.defineProperty(verify, 'name', { value: name });
  return Object.assign(verify, traits) as unknown as Verifier; // `name` was defined above, where types do not see it
}

function limited(
  name: string,
  found: Promise<unknown>,
  timeoutMs: number | undefined,
  stop: AbortController,
  lost?: AbortSignal,
): Promise<Verification> {
  return new Promise((resolve) => {
    const abort = (): void => stop.abort();
    const settle = (verdict: Verification): void => {
      clearTimeout(timer);
      lost?.removeEventListener('abort', abort);
      resolve(verdict);
    };
    const giveUp = (): void => {
      settle(verification(name, new Unjudged('timeout', `no verdict within ${timeoutMs} ms`)));
      abort();
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    lost?.addEventListener('abort', abort, { once: true });
    found.then(
      (late) => settle(verification(name, late)),
      (error: unknown) => settle(failed(name, error)),
    );
  });
}

const failed = (name: string, error: unknown): Verification =>
  verification(name, new Unjudged('error', 'the check failed', { error: broken(error).judge_meta['error'] }));

function verification(name: string, answer: unknown): Verification {
  if (answer instanceof Unjudged) return unjudged(name, answer);
  const { score, reason, meta } = findingOf(answer);
  if (score === null || score === undefined)
    return unjudged(name, new Unjudged('missing_reward', reason || 'could not judge', meta));
  const number = typeof score === 'boolean' ? Number(score) : numericOf(score);
  if (number === undefined || !Number.isFinite(number))
    return unjudged(name, new Unjudged('invalid_result', 'the score is not a number', meta));
  const reward = Math.min(1, Math.max(0, number)) + 0; // and -0 is 0
  return { reward, reason: cut(reason || `${name}: ${wordFor(reward)}`), judge_meta: { verifier: name, ...meta } };
}

function unjudged(name: string, { status, reason, meta }: Unjudged): Verification {
  const judge_meta = { verifier: name, ...meta };
  return { reward: null, reason: cut(`${name}: ${reason}`), judge_meta, judge_status: status };
}

function findingOf(answer: unknown): Finding {
  if (Array.isArray(answer)) return { score: answer[0] ?? null, reason: answer[1] ? String(answer[1]) : '' };
  if (isObject(answer) && 'score' in answer)
    return { score: answer['score'], reason: String(answer['reason'] ?? ''), meta: metaOf(answer['meta']) };
  return { score: answer, reason: '' };
}

const metaOf = (meta: unknown) => (isObject(meta) ? meta : {});
const maxReason = 400;
const cut = (reason: string) => reason.slice(0, maxReason);
/** How a reward reads: pass, fail, or two digits. */
export const wordFor = (reward: number) => (reward === 1 ? 'pass' : reward === 0 ? 'fail' : reward.toFixed(2));
