import { isObject, type JsonObject } from '../core/json-object.ts';

/** What the steps of a rollout cost and how likely they were, for the whole row. */
export interface SamplingTotals {
  /** Summed log-probability of what was generated, natural log. */
  readonly logprob?: number;
  readonly n_tokens?: number;
  /** One for each token of `n_tokens`; absent when a step has none. */
  readonly token_logprobs?: number[];
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number };
}

/** Add up the sampling facts of steps. What no step recorded is absent, never zero. */
export function rollUpSampling(steps: readonly unknown[]): SamplingTotals {
  const all = steps.filter(isObject);
  const measured = all.filter(({ logprob }) => isNumber(logprob));
  const lists = measured.map(({ token_logprobs }) => token_logprobs);
  const counts = measured.map(({ n_tokens }, n) => (isNumber(n_tokens) ? n_tokens : lengthOf(lists[n])));
  const isComplete = measured.length > 0 && lists.every((list) => Array.isArray(list) && list.every(isNumber));
  const usage = { ...total(all, 'input_tokens'), ...total(all, 'output_tokens') };
  return {
    ...(measured.length > 0 ? { logprob: sum(measured.map(({ logprob }) => Number(logprob))) } : {}),
    ...(measured.length > 0 && counts.every(isNumber) ? { n_tokens: sum(counts) } : {}),
    ...(isComplete ? { token_logprobs: lists.flat() as number[] } : {}),
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
  };
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : undefined);

function total(steps: readonly JsonObject[], key: 'input_tokens' | 'output_tokens'): JsonObject {
  const numbers = steps.map((step) => step[key]).filter(isNumber);
  return numbers.length > 0 ? { [key]: sum(numbers) } : {};
}
