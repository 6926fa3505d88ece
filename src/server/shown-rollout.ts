import { stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { messageText } from '../rows/content-text.ts';
import { conversationOf } from '../rows/conversation.ts';
import { callsOf, resultsOf } from '../rows/tool-calls.ts';

/** One turn of a conversation as a person reads it. All texts are as the model wrote them, and never HTML. */
export interface ShownTurn {
  readonly role: string;
  /** The tool, where it is one that speaks. */
  readonly name?: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** A rollout for a reader: who said what, the verdict with its reason, the markers, what it was made with. */
export interface ShownRollout {
  readonly turns: readonly ShownTurn[];
  readonly verdict: Readonly<Record<string, unknown>>;
  readonly markers: readonly { readonly name: string; readonly value: unknown }[];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

const verdictFields = ['reward', 'judge_status', 'judge_name', 'reason', 'failure_class', 'gold_reward'] as const;
const factFields = [
  'rollout_id',
  'scenario_id',
  'rollout_index',
  'scenario_dimensions',
  'world_state',
  'faults',
  'fault_detected',
  'model_version',
  'policy_version',
  'finish_reason',
  'sampling',
  'usage',
  'logprob',
  'conversation_id',
  'lineage',
  'judge_meta',
] as const;

/** Lay a row out for a reader. Answer keys must be gone from it already. */
export function shownRollout(row: JsonObject): ShownRollout {
  const { messages, markers } = row;
  const said = Array.isArray(messages) && messages.length > 0 ? messages.filter(isObject) : conversationOf(row);
  return {
    turns: said.flatMap(turnsOf),
    verdict: Object.fromEntries(verdictFields.map((name) => [name, row[name] ?? null])),
    markers: Object.entries(isObject(markers) ? markers : {}).map(([name, value]) => ({ name, value })),
    facts: factFields.flatMap((name) => {
      const value = row[name];
      return value === undefined || value === null || value === '' ? [] : [{ name, value: textOf(value) }];
    }),
  };
}

function turnsOf(message: JsonObject): ShownTurn[] {
  const { role, name } = message;
  const text = messageText(message);
  const calls = callsOf(message).map((call) => ({
    name: call.name,
    arguments: call.arguments_raw ?? textOf(call.arguments ?? {}),
  }));
  const results = resultsOf(message).map((one) => ({
    ...{ role: 'tool', name: one.name, text: textOf(one.result), calls: [] },
  }));
  if (results.length > 0 && text === '' && calls.length === 0) return results;
  const own = { role: String(role ?? 'assistant'), text, calls };
  return [...results, { ...own, ...(typeof name === 'string' && name !== '' && { name }) }];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : stringifyJson(value));
