import { isObject } from '../core/json-object.ts';
import type { Row } from '../rows/row.ts';

const longest = 200;

/**
 * Say why a row has no verdict: what its judge threw, or what was wrong with its answer; undefined for a row that has one.
 * At most 200 characters, and only what stands on the row already.
 */
export function failureWords({ judge_status = 'ok', judge_name, judge_meta, reason }: Row): string | undefined {
  if (judge_status === 'ok' || judge_status === null) return undefined;
  if (judge_name === 'length_cap') return 'a length cap cut the reply: it was not judged';
  const meta = isObject(judge_meta) ? judge_meta : {};
  const said = meta['error'] ?? unreadWords(meta) ?? (reason || undefined) ?? shapeWords(meta);
  return String(said ?? 'the judge said nothing')
    .replace(/^TracemillError: (TM_\w+: )?/, '')
    .replace(/\s+/g, ' ')
    .slice(0, longest);
}

/** An answer that was read and is none, and what it began with. */
function unreadWords({ unreadable, raw, unsure, probability }: Readonly<Record<string, unknown>>): string | undefined {
  if (unsure === true) return `the judge is unsure${typeof probability === 'number' ? `: ${probability}` : ''}`;
  if (unreadable === undefined) return undefined;
  if (typeof raw !== 'string') return String(unreadable);
  return `${String(unreadable)}: ${raw.trim() === '' ? 'the answer is empty' : raw}`;
}

function shapeWords(meta: Readonly<Record<string, unknown>>): string | undefined {
  const {
    timeout_s,
    last_error,
    returned_keys,
    reward_out_of_range,
    rating_out_of_scale,
    reward_type,
    returned_type,
    raw,
  } = meta;
  if (timeout_s !== undefined)
    return `no verdict within ${String(timeout_s)} s${last_error === undefined ? '' : `: ${String(last_error)}`}`;
  if (Array.isArray(returned_keys))
    return returned_keys.length === 0
      ? 'the answer is an empty object: it needs reward'
      : `the answer has neither reward nor score, but ${returned_keys.join(', ')}`;
  if (reward_out_of_range !== undefined) return `the reward ${String(reward_out_of_range)} is not from 0 to 1`;
  if (rating_out_of_scale !== undefined) return `the rating ${String(rating_out_of_scale)} is outside its scale`;
  if (reward_type !== undefined) return `the reward is of the type ${String(reward_type)}, a number is needed`;
  if (returned_type !== undefined)
    return `the answer is of the type ${String(returned_type)}, a number or {reward, reason} is needed`;
  return typeof raw === 'string' ? `no score in the answer: ${raw}` : undefined;
}
