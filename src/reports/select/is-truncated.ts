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
  if (row['finish_reason'] === 'length' || limit.test(String(row['ended_by'] ?? ''))) return true;
  const steps = Array.isArray(row['steps']) ? row['steps'] : [];
  if (steps.some((step: unknown) => isObject(step) && step['truncated'] === true)) return true;
  if ([row['reason'], row['grader_reason']].some((reason) => typeof reason === 'string' && cutReason.test(reason)))
    return true;
  const text = typeof row['final_text'] === 'string' ? row['final_text'].trimEnd() : '';
  return text.length >= shortReply && !endsComplete(text);
}
