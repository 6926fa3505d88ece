import { from, lastValueFrom, map, mergeMap, toArray } from 'rxjs';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import { conversationOf } from '../rows/conversation.ts';
import { chatMessages } from './chat-messages.ts';
import { replyLogprob } from './reply-logprob.ts';

/** Sends one chat request and gives the answer's body. */
export type Transport = (body: JsonObject, signal: AbortSignal) => Promise<unknown>;

const options = z.strictObject({
  maxConcurrent: z.int().min(1).default(4).describe('Rows asked about at once.'),
  timeoutMs: z.int().min(1).default(600_000).describe('Longest wait for one answer, in milliseconds.'),
  transport: z
    .custom<Transport>((value) => typeof value === 'function')
    .optional()
    .describe('Sends the requests. HTTP to the server named by the reference when left out.'),
});

/** How many rows have a reference now, and why the others have none. */
export interface ReferenceReport {
  readonly n_rows: number;
  readonly n_skipped: number;
  readonly n_tokens: number;
  readonly model: string;
  /** Mean difference between the reference's tokens and the policy's, 2 digits: above 0 their tokenizers differ. */
  readonly token_count_gap: number | null;
  /** The first five. */
  readonly errors: readonly string[];
}

interface Stamped {
  readonly row: JsonObject;
  readonly tokens?: number;
  readonly gap?: number;
  readonly error?: string;
}

/**
 * Stamp copies of the rows with the log-probability of their replies under a reference model: `ref_logprob`,
 * `ref_n_tokens`, `ref_model`. Two requests an assistant turn; one row that fails does not fail the others.
 *
 * @param reference - `vllm:<model>@<url>`: a server that gives prompt log-probabilities
 * @throws TM_OPTIONS - the reference has another form, or an option is unknown
 * @source rlhfbook ch. 15
 */
export async function referenceLogprobs(
  rows: readonly JsonObject[],
  reference: string,
  config: z.input<typeof options> = {},
): Promise<{ readonly rows: readonly JsonObject[]; readonly report: ReferenceReport }> {
  const { maxConcurrent, timeoutMs, transport } = parseOptions('referenceLogprobs', options, config);
  const { model, url } = parseReference(reference);
  const send = transport ?? httpTransport(url);
  const ask = (body: JsonObject) =>
    send({ model, max_tokens: 1, temperature: 0, ...body }, AbortSignal.timeout(timeoutMs));
  const stamped = await lastValueFrom(
    from(rows).pipe(
      mergeMap((row, at) => from(stamp(row, model, ask)).pipe(map((done) => ({ at, done }))), maxConcurrent),
      toArray(),
    ),
  );
  const done = stamped.sort((a, b) => a.at - b.at).map((one) => one.done);
  const found = done.filter(({ tokens }) => tokens !== undefined);
  const gaps = done.flatMap(({ gap }) => gap ?? []);
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  return {
    rows: done.map(({ row }) => row),
    report: {
      n_rows: found.length,
      n_skipped: rows.length - found.length,
      n_tokens: total(found.map(({ tokens = 0 }) => tokens)),
      model,
      token_count_gap: gaps.length === 0 ? null : Number((total(gaps) / gaps.length).toFixed(2)),
      errors: done.flatMap(({ error }) => error ?? []).slice(0, 5),
    },
  };
}

async function stamp(row: JsonObject, model: string, ask: (body: JsonObject) => Promise<unknown>): Promise<Stamped> {
  try {
    const found = await replyLogprobs(row, ask);
    if (!found) return { row };
    const { n_tokens } = row;
    const own = typeof n_tokens === 'number' ? { gap: Math.abs(found.tokens - n_tokens) } : {};
    const ref = { ref_logprob: Number(found.logprob.toFixed(6)), ref_n_tokens: found.tokens, ref_model: model };
    return { row: { ...row, ...ref }, tokens: found.tokens, ...own };
  } catch (error) {
    return { row, error: error instanceof Error ? error.message : String(error) }; // said in the report, with the row skipped
  }
}

/** Sum the reference's log-probability over every assistant turn; undefined when there is none. */
async function replyLogprobs(row: JsonObject, ask: (body: JsonObject) => Promise<unknown>) {
  const given = Array.isArray(row['messages']) ? row['messages'].filter(isObject) : [];
  const messages = chatMessages(given.length > 0 ? given : conversationOf(row));
  const tools =
    Array.isArray(row['tools']) && row['tools'].length > 0 ? { tools: row['tools'], tool_choice: 'none' } : {};
  let [logprob, tokens] = [0, 0];
  for (const [at, { role }] of messages.entries()) {
    if (role !== 'assistant') continue;
    const before = await ask({ messages: messages.slice(0, at), add_generation_prompt: true, ...tools });
    const whole = await ask({
      messages: messages.slice(0, at + 1),
      add_generation_prompt: false,
      prompt_logprobs: 1,
      return_token_ids: true,
      ...tools,
    });
    const turn = replyLogprob(before, whole);
    logprob += turn.logprob;
    tokens += turn.tokens;
  }
  return tokens === 0 ? undefined : { logprob, tokens };
}

function parseReference(reference: string): { readonly model: string; readonly url: string } {
  const [, model, url] = /^vllm:(.+)@(https?:\/\/.+)$/.exec(reference) ?? [];
  if (model !== undefined && url !== undefined) return { model, url };
  throw new TracemillError('TM_OPTIONS', `referenceLogprobs: ${reference} is not vllm:<model>@<url>`);
}

const httpTransport =
  (url: string): Transport =>
  async (body, signal) => {
    const response = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stringifyJson(body),
      signal,
    });
    if (!response.ok)
      throw new Error(`the reference answered ${response.status}: ${(await response.text()).slice(0, 200)}`);
    return response.json();
  };
