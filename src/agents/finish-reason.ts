import { isObject, type JsonObject } from '../core/json-object.ts';
import { endsComplete } from '../text/looks-finished.ts';

const words = ['stop', 'length', 'tool', 'error'] as const;
export type FinishReason = (typeof words)[number];

/**
 * Say how a rollout ended: the agent's own word when it is one of `stop`, `length`, `tool`, `error`; else an error stub,
 * a step that a cap cut off, a last call that nothing was said about, or a plain stop.
 */
export function finishReason(rollout: JsonObject): FinishReason {
  const { finish_reason, final_text } = rollout;
  const own = words.find((word) => word === finish_reason);
  if (own) return own;
  const text = typeof final_text === 'string' ? final_text : '';
  const steps = stepsOf(rollout);
  if (/^\s*<agent error/i.test(text)) return 'error';
  if (steps.some(({ truncated }) => truncated === true)) return 'length';
  return text.trim() === '' && steps.at(-1)?.['tool'] !== undefined ? 'tool' : 'stop';
}

const longReply = 200; // characters; a shorter reply is never taken for a cut one by its text alone

/**
 * Say whether a length cap cut a rollout: it is never judged then. The flag of a step decides; a text of 200 characters
 * or more decides only when it does not end where a writer would end it.
 *
 * @source rlhfbook ch. 6 (overlong handling)
 */
export function hitLengthCap(rollout: JsonObject): boolean {
  if (rollout['finish_reason'] === 'length' || stepsOf(rollout).some(({ truncated }) => truncated === true))
    return true;
  const { final_text } = rollout;
  const text = typeof final_text === 'string' ? final_text.trimEnd() : '';
  return text.length >= longReply && !endsComplete(text);
}

const stepsOf = ({ steps }: JsonObject): readonly JsonObject[] => (Array.isArray(steps) ? steps.filter(isObject) : []);
