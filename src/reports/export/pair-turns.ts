import { canonicalJson } from '../../core/canonical-json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { foldText } from '../../text/fold.ts';
import { trlMessages } from './trl-messages.ts';

/** A preference pair in TRL's shape, and whether later turns were left out. */
export interface TrlPair {
  readonly row: JsonObject;
  readonly isCut: boolean;
}

/**
 * Reduce a pair of whole conversations to the turn where they part: the prompt is what both share, tool turns included, and
 * each side is the agent's one message there. Undefined when they part on something that is not the agent's, or never.
 *
 * @source Rafailov et al. 2023 (DPO): only the policy's own tokens are compared; rlhfbook ch. 8
 */
export function oneTurn(pair: JsonObject): TrlPair | undefined {
  const [chosen, rejected] = sidesOf(pair);
  const shared = chosen.findIndex((message, n) => !isSame(message, rejected[n]));
  const at = shared < 0 ? chosen.length : shared;
  const [better, worse] = [chosen[at], rejected[at]];
  if (better?.['role'] !== 'assistant' || worse?.['role'] !== 'assistant' || at === 0) return undefined;
  const row = { ...pair, prompt: chosen.slice(0, at), chosen: [better], rejected: [worse] };
  return { row, isCut: chosen.length > at + 1 || rejected.length > at + 1 };
}

/**
 * Split a pair at the agent's first turn: the prompt is what came before, each side everything after. A trainer then scores
 * tool and user turns as if the policy had written them. Undefined when a side has no turn of the agent, or no ask.
 */
export function allTurns(pair: JsonObject): TrlPair | undefined {
  const [chosen, rejected] = sidesOf(pair);
  const first = chosen.findIndex(({ role }) => role === 'assistant');
  const other = rejected.findIndex(({ role }) => role === 'assistant');
  if (first < 1 || other < 1) return undefined;
  const row = { ...pair, prompt: chosen.slice(0, first), chosen: chosen.slice(first), rejected: rejected.slice(other) };
  return { row, isCut: false };
}

/** Tell whether two conversations do and say the same: case, spaces and ids of calls do not count. */
export function isSameTalk(left: readonly JsonObject[], right: readonly JsonObject[]): boolean {
  const folded = (messages: readonly JsonObject[]) =>
    canonicalJson(
      messages.map((message) => ({ ...withoutIds(message), content: foldText(String(message['content'])) })),
    );
  return left.length === right.length && folded(left) === folded(right);
}

const sidesOf = ({ chosen, rejected }: JsonObject) => [trlMessages(chosen), trlMessages(rejected)] as const;

/** Two messages say the same; ids of calls are made up by whoever answered and do not count. */
const isSame = (left: JsonObject, right: JsonObject | undefined): boolean =>
  right !== undefined && canonicalJson(withoutIds(left)) === canonicalJson(withoutIds(right));

function withoutIds({ tool_call_id: _, ...message }: JsonObject): JsonObject {
  const calls = message['tool_calls'];
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call) => (isObject(call) ? { ...call, id: undefined } : call)) };
}
