import { TracemillError } from '../../core/errors.ts';
import { embeddingModel, isVector } from '../../models/embedding-model.ts';
import type { Models } from '../../models/models.ts';
import type { SimulateSettings } from './options.ts';

/** Put texts as vectors of meaning, one for each in order. */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/**
 * Make what compares asks by meaning: a model of a host, or a function of the caller. Undefined where words are compared.
 *
 * @throws TM_AUTH - a remote host whose key is not set
 */
export function embedOf({ advanced: { embedder }, timeout }: SimulateSettings, models: Models): Embed | undefined {
  if (embedder === 'hash') return undefined;
  if (typeof embedder === 'function') return async (texts) => checked(await embedder(texts), texts.length);
  if (embedder.startsWith('bge'))
    return async () => {
      throw new TracemillError('TM_MODEL', `${embedder} needs a host; serve it and write ollama:<model>`);
    };
  const model = embeddingModel(embedder, models);
  return (texts) => model.embed(texts, AbortSignal.timeout(Math.ceil(timeout * 1000)));
}

function checked(given: unknown, wanted: number): readonly (readonly number[])[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const vectors = list.map((one) => (ArrayBuffer.isView(one) ? [...(one as Float64Array)] : one)).filter(isVector);
  if (vectors.length === wanted) return vectors;
  throw new TracemillError('TM_MODEL', `the embedder gave ${vectors.length} vectors for ${wanted} texts`);
}
