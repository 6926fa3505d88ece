import { TracemillError } from '../core/errors.ts';
import { isObject } from '../core/json-object.ts';
import { type Env, parseBackendSpec } from './backend-spec.ts';
import type { JsonModel } from './json-post.ts';
import type { Models } from './models.ts';

/** A model that puts texts as numbers that stand for their meaning. */
export interface EmbeddingModel {
  readonly name: string;
  /**
   * The vector of each text, in order.
   *
   * @throws TM_MODEL - the host failed for good, or its answer has not one vector for each text
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

const perCall = 128; // texts
const usual: Readonly<Record<string, string>> = { ollama: 'nomic-embed-text', openai: 'text-embedding-3-small' };

/**
 * Open an embedding model of an OpenAI-compatible host: `ollama:<model>`, `openai:<model>`, or the host alone for its usual
 * one. Retries, keys and the cache are those of `models`.
 *
 * @throws TM_OPTIONS - no such host
 * @throws TM_AUTH - a remote host whose key is not set
 */
export function embeddingModel(spec: string, models: Pick<Models, 'openJson'>, env: Env = process.env): EmbeddingModel {
  const { baseURL, model, keyName } = parseBackendSpec(usual[spec] ? `${spec}:${usual[spec]}` : spec, env);
  const host = models.openJson(`${baseURL}/embeddings`, keyName);
  return {
    name: model,
    async embed(texts, signal) {
      const parts = Array.from({ length: Math.ceil(texts.length / perCall) }, (_, n) =>
        texts.slice(n * perCall, (n + 1) * perCall),
      );
      const vectors: (readonly number[])[] = [];
      for (const part of parts) vectors.push(...(await ask(host, model, part, signal)));
      return vectors;
    },
  };
}

async function ask(host: JsonModel, model: string, input: readonly string[], signal: AbortSignal) {
  const answer = await host.ask({ model, input: [...input] }, [], signal);
  const data: unknown = isObject(answer) ? answer['data'] : undefined;
  const entries: readonly unknown[] = Array.isArray(data) ? data : [];
  const vectors = entries.map((entry) => (isObject(entry) ? entry['embedding'] : undefined)).filter(isVector);
  if (vectors.length === input.length) return vectors;
  throw new TracemillError('TM_MODEL', `${model}: ${vectors.length} vectors for ${input.length} texts`, {
    reason: 'invalid_reply',
  });
}

/** Whether a value is a list of numbers. */
export const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number');
