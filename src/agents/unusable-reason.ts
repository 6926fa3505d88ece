import { isObject, type JsonObject } from '../core/json-object.ts';
import { hasToolMarkup } from '../text/tool-markup.ts';

/** Why a rollout is no row: it is played again, or lost and counted; it is never graded. */
export const unusableReasons = ['agent_error', 'empty_reply', 'tool_markup'] as const;
export type UnusableReason = (typeof unusableReasons)[number];

/** Say why what an agent left is no row: an error stub, no reply, or markup that only a parser should see. */
export function unusableReason(rollout: JsonObject): UnusableReason | null {
  const { final_text, steps } = rollout;
  const text = typeof final_text === 'string' ? final_text : '';
  if (/^\s*<agent error/i.test(text)) return 'agent_error';
  if (text.trim() === '') return 'empty_reply';
  const said = Array.isArray(steps) ? steps.filter(isObject).map((step) => step['text']) : [];
  return [text, ...said].some((one) => typeof one === 'string' && hasToolMarkup(one)) ? 'tool_markup' : null;
}
