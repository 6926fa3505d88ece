import type { JsonObject } from '../../core/json-object.ts';

/** The log-probability of a reply under the policy that sampled it, and its tokens. */
export interface Sampled {
  readonly logprob: number;
  readonly tokens: number;
}

/** Read the log-probability of a row: a finite number with a whole, positive number of tokens; undefined otherwise. */
export function sampledOf({ logprob, n_tokens }: JsonObject): Sampled | undefined {
  if (typeof logprob !== 'number' || !Number.isFinite(logprob)) return undefined;
  if (typeof n_tokens !== 'number' || !Number.isInteger(n_tokens) || n_tokens <= 0) return undefined;
  return { logprob, tokens: n_tokens };
}
