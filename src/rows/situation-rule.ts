import { isObject, type JsonObject } from '../core/json-object.ts';

/** What decides how a situation should end. */
export type SituationRule =
  | 'adversarial'
  | 'multi_tool'
  | 'unrelated'
  | 'vague'
  | 'missing'
  | 'already_done'
  | 'duplicate';

const adversarial = new Set(['adversarial', 'malicious', 'forbidden']);
const partial = /prior_partial|partial_action/;

/** Find the first rule that a situation falls under; undefined where only its tool and its history say something. */
export function situationRule(dims: JsonObject): SituationRule | undefined {
  const is = (key: string, ...values: readonly unknown[]) => values.includes(dims[key]);
  if (adversarial.has(String(dims['stance'] ?? dims['tier'])) || adversarial.has(String(dims['tier'])))
    return 'adversarial';
  if (is('tool', 'multi_tool')) return 'multi_tool';
  if (is('tool', 'unrelated')) return 'unrelated';
  if (is('intent_known', false) || is('ask_family', 'vague') || is('stance', 'vague', 'underspecified')) return 'vague';
  if (is('world_state', 'entity missing', 'missing')) return 'missing';
  if (is('world_state', 'entity already acted on', 'already_done')) return 'already_done';
  return is('world_state', 'duplicate entity') ? 'duplicate' : undefined;
}

/** Say whether part of the work was done before the person came. */
export const isHalfDone = ({ history }: JsonObject): boolean => partial.test(String(history ?? ''));

/** Say whether it is known how a situation should end, so that an outcome can be checked. */
export function hasOutcomeRule(dims: JsonObject): boolean {
  const rule = situationRule(dims);
  if (rule !== undefined) return rule !== 'multi_tool';
  return (typeof dims['tool'] === 'string' && dims['tool'] !== '') || dims['ask_family'] === 'tool';
}

const dimensions = ['tool', 'stance', 'tier', 'world_state', 'history', 'tool_condition', 'intent_known', 'ask_family'];

/** Read what a row says of its situation: its cell first, then the row itself. */
export function situationOf(row: JsonObject): JsonObject {
  const cell = isObject(row['scenario_dimensions']) ? row['scenario_dimensions'] : {};
  return Object.fromEntries(dimensions.map((key) => [key, cell[key] ?? row[key]]));
}
