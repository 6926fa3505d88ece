import { isObject, type JsonObject } from '../../core/json-object.ts';
import { endsComplete } from '../../text/looks-finished.ts';

const cutReason = /truncat|cut off/i;
/** `step_limit`, `max_turns`: the runner stopped the rollout, not the agent and not the user. */
const limit = /limit|^max_/i;
const shortReply = 200; // characters; a shorter reply may end as it likes

/**
 * Say whether a rollout was cut off rather than ended: the model or the runner hit a limit, a step says so, the judge says
 * so, or a reply of 200 characters or more does not end like one.
 *
 * @source DAPO (arXiv:2503.14476), overlong handling; rlhfbook ch. 6, 7
 */
export function isTruncated(row: JsonObject): boolean {
  const { finish_reason, ended_by, steps, reason, grader_reason } = row;
  if (finish_reason === 'length' || limit.test(String(ended_by ?? ''))) return true;
  if (Array.isArray(steps)) for (const step of steps) if (isObject(step) && step['truncated'] === true) return true;
  if (saysCut(reason) || saysCut(grader_reason)) return true;
  const text = typeof row['final_text'] === 'string' ? row['final_text'].trimEnd() : '';
  return text.length >= shortReply && !endsComplete(text);
}

const saysCut = (reason: unknown): boolean => typeof reason === 'string' && cutReason.test(reason);
