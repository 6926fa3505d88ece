import { canonicalJson } from '../../core/canonical-json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { replyOf } from '../../rows/reply.ts';

/** Name the first thing an agent did: its first call with its arguments, else its first words. Equal names, equal turns. */
export function firstTurn(row: JsonObject): string {
  const steps = Array.isArray(row['steps']) ? row['steps'].filter(isObject) : [];
  const { calls, turns, finalText } = replyOf(row);
  const [call] = calls;
  if (call) return canonicalJson({ name: call.tool, arguments: call.arguments });
  const text = steps.map((step) => step['text']).find((said) => typeof said === 'string' && said !== '');
  return String(text ?? turns.find((said) => said !== '') ?? finalText);
}
