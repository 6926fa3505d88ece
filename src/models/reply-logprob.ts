import { isObject, type JsonObject } from '../core/json-object.ts';

/**
 * Read the log-probability of one reply from two answers of a server that gives prompt log-probabilities: `before` counts
 * the tokens up to the reply, `whole` has one record a token of all. Blank tokens after the reply are the chat template's
 * and do not count.
 *
 * @throws Error - the answers do not carry what was asked for
 * @source house rule; the answers are those of vLLM's chat completions
 */
export function replyLogprob(before: unknown, whole: unknown): { readonly logprob: number; readonly tokens: number } {
  const usage = isObject(before) ? before['usage'] : undefined;
  const start = isObject(usage) ? usage['prompt_tokens'] : undefined;
  if (typeof start !== 'number') throw new Error('the reference gave no count of prompt tokens');
  const records = isObject(whole) ? whole['prompt_logprobs'] : undefined;
  if (!isObject(whole) || !Array.isArray(records)) throw new Error('the reference gave no prompt log-probabilities');
  const ids = Array.isArray(whole['prompt_token_ids']) ? whole['prompt_token_ids'] : [];
  const tokens = records.map((record: unknown, at) => tokenOf(record, ids[at])).slice(start);
  while (tokens.at(-1)?.text.trim() === '') tokens.pop();
  const values = tokens.map((token) => token?.logprob ?? Number.NaN);
  if (values.length === 0 || !values.every(Number.isFinite))
    throw new Error('the reference left tokens of the reply out');
  return { logprob: values.reduce((sum, value) => sum + value, 0), tokens: values.length };
}

/** A record holds the token itself and the likeliest one: the token by its id, else the one of the worse rank. */
function tokenOf(record: unknown, id: unknown): { readonly text: string; readonly logprob: number } | undefined {
  if (!isObject(record)) return undefined;
  const own = record[String(id)];
  const entries = Object.values(record).filter(isObject);
  const worst = entries.toSorted((a, b) => rankOf(b) - rankOf(a))[0];
  const found = isObject(own) ? own : worst;
  if (!found) return undefined;
  return { text: String(found['decoded_token'] ?? ''), logprob: Number(found['logprob']) };
}

const rankOf = ({ rank }: JsonObject) => (typeof rank === 'number' ? rank : 0);
