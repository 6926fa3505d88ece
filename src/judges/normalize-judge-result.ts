import { TracemillError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { type JudgeStatus, judgeStatuses } from '../rows/verdict.ts';

/** One judge's answer, read. `reward` is null exactly when the status is not `ok`. */
export interface Verdict {
  readonly reward: number | null;
  readonly reason: string;
  readonly judge_status: JudgeStatus;
  readonly judge_meta: JsonObject;
}
/** Lowest and highest mark of a rating scale. */
export type Scale = readonly [number, number];

/**
 * Read whatever a judge returned. A reward is a number from 0 to 1; with `scale`, a rating on that scale is mapped to it
 * and rounded to six digits. What cannot be read has reward null and a status, never 0.
 *
 * @throws TM_OPTIONS - the scale has no width
 * @source rlhfbook ch. 11 (rating scales); the rest is a house rule
 */
export function normalizeJudgeResult(raw: unknown, { scale }: { readonly scale?: Scale | undefined } = {}): Verdict {
  if (scale) return readRating(raw, checkScale(scale));
  if (typeof raw === 'boolean') return ok(raw ? 1 : 0, '', {});
  if (typeof raw === 'number') return readReward(raw, '', {});
  if (!isObject(raw)) return unread('invalid_result', '', { returned_type: typeName(raw) });
  if (raw['reward'] === undefined && raw['score'] === undefined)
    return unread('missing_reward', '', { returned_keys: Object.keys(raw).sort() });
  const { reward, score, reason, ...rest } = raw;
  const value = reward === undefined ? score : reward; // a null reward hides the score
  if (value === null && isFailure(rest['judge_status'])) {
    const { judge_status, ...meta } = rest; // a judge that knows why it could not judge, as verifiers do
    return unread(judge_status as Failed, reasonText(reason), flatMeta(meta));
  }
  if (typeof value === 'boolean') return ok(value ? 1 : 0, reasonText(reason), flatMeta(rest));
  if (typeof value === 'number') return readReward(value, reasonText(reason), flatMeta(rest));
  return unread('invalid_result', reasonText(reason), { ...flatMeta(rest), reward_type: typeName(value) });
}

/** Refuse a scale that no rating can be mapped from. */
export function checkScale(scale: Scale): Scale {
  const [low, high] = scale;
  if (Number.isFinite(low) && Number.isFinite(high) && high > low) return scale;
  throw new TracemillError('TM_OPTIONS', `scale must be [low, high] with low < high, got [${low}, ${high}]`);
}

function readReward(value: number, reason: string, meta: JsonObject): Verdict {
  if (value >= 0 && value <= 1) return ok(value + 0, reason, meta); // -0 + 0 is 0
  return unread('invalid_result', reason, { ...meta, reward_out_of_range: value });
}

function readRating(raw: unknown, scale: Scale): Verdict {
  const [low, high] = scale;
  const fields = isObject(raw) ? raw : undefined;
  const key = fields && ['rating', 'score', 'reward'].find((name) => fields[name] !== undefined);
  const value = fields ? fields[key ?? ''] : raw;
  const reason = fields ? reasonText(fields['reason']) : '';
  if (fields && (value === undefined || value === null))
    return unread('missing_reward', reason, { returned_keys: Object.keys(fields).sort() });
  const { rating: _rating, score: _score, reward: _reward, reason: _reason, ...rest } = fields ?? {};
  const meta = flatMeta(rest);
  if (typeof value !== 'number') return unread('invalid_result', reason, { ...meta, reward_type: typeName(value) });
  if (!(value >= low && value <= high))
    return unread('invalid_result', reason, { ...meta, rating_out_of_scale: value, scale });
  const reward = Math.round(((value - low) / (high - low)) * 1e6) / 1e6;
  return ok(reward + 0, reason, { ...meta, rating: value, scale });
}

const ok = (reward: number, reason: string, judge_meta: JsonObject): Verdict => ({
  reward,
  reason,
  judge_status: 'ok',
  judge_meta,
});
/** An answer without a reward. */
export const unread = (judge_status: Failed, reason: string, judge_meta: JsonObject): Verdict => ({
  reward: null,
  reason,
  judge_status,
  judge_meta,
});

/** A nested `judge_meta` object is flattened into the rest and wins; anything else stays under its key. */
function flatMeta(rest: JsonObject): JsonObject {
  const inner = rest['judge_meta'];
  if (!isObject(inner)) return rest;
  const { judge_meta: _inner, ...outer } = rest;
  return { ...outer, ...inner };
}

const reasonText = (reason: unknown) => (reason ? String(reason) : '');
type Failed = Exclude<JudgeStatus, 'ok'>;
const isFailure = (status: unknown) => status !== 'ok' && judgeStatuses.includes(status as JudgeStatus);
const typeName = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
