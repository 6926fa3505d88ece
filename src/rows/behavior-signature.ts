import { canonicalJson } from '../core/canonical-json.ts';
import { stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { callsMade } from './calls-made.ts';

const refusal = /\b(?:can['’]t|cannot|unable|won['’]t)\b/i;

/**
 * Name what a rollout did, so that rows which behaved alike share a signature: its tool calls in order, where each argument
 * came from, the status that came back, whether the reply refuses, and its length in steps of 12 words. Argument values and
 * wording do not count. Only equality means anything.
 *
 * @source house rule
 */
export function behaviorSignature(row: JsonObject): string {
  const calls = callsMade(row);
  const finalText = typeof row['final_text'] === 'string' ? row['final_text'] : '';
  const prompt = String(row['prompt'] ?? '').toLowerCase();
  let earlier = '';
  const acts = calls.map((call) => {
    const origins = Object.entries(call.arguments)
      .map(([name, value]) => [name, originOf(value, prompt, earlier)])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
    if (call.result !== undefined) earlier += `${stringifyJson(call.result).toLowerCase()}\n`;
    return [call.tool, origins, isObject(call.result) ? (call.result['status'] ?? null) : null];
  });
  const words = finalText.split(/\s+/u).filter((word) => word !== '').length;
  return canonicalJson([acts, refusal.test(finalText), Math.min(Math.floor(words / 12), 12)]);
}

/** Where the value of an argument came from: the user's words, an earlier result, or nowhere. */
function originOf(value: unknown, prompt: string, earlier: string): 'absent' | 'user' | 'derived' | 'invented' {
  if (value === null || value === undefined || value === '') return 'absent';
  if (typeof value === 'object' && Object.keys(value).length === 0) return 'absent';
  const text = (typeof value === 'object' ? stringifyJson(value) : String(value)).toLowerCase();
  if (prompt.includes(text)) return 'user';
  return earlier.includes(text) ? 'derived' : 'invented';
}
