import type { JsonObject } from '../core/json-object.ts';
import { judgeCaller } from '../judges/call-judge.ts';
import type { Judge } from '../judges/judge.ts';
import { mapInOrder } from '../judges/map-in-order.ts';
import { promptText } from '../reports/monitor/evaluation.ts';
import type { Sampled, Scored } from '../rows/monitor-event.ts';
import { numericOf } from '../rows/numeric.ts';
import type { Row } from '../rows/row.ts';

type Prompt = string | readonly unknown[];

/** What a reward function is called with: lists of one length, a column for each further field of the asks. */
export interface RewardBatch {
  readonly prompts: Scored['prompts'];
  readonly completions: Scored['completions'];
  readonly [column: string]: readonly unknown[];
}
/** Scores a batch, one number for each completion. */
export type RewardFunction = (batch: RewardBatch) => readonly unknown[] | PromiseLike<readonly unknown[]>;

/** Samples `n` completions of each prompt from the policy as it is now. */
export type SamplePolicy = (
  prompts: readonly Prompt[],
  how: { readonly n: number; readonly maxNewTokens: number },
) => readonly (readonly string[])[] | PromiseLike<readonly (readonly string[])[]>;

interface Scoring {
  readonly asks: readonly JsonObject[];
  readonly sample: SamplePolicy;
  readonly k: number;
  readonly maxNewTokens: number;
  readonly gold: Judge | undefined;
  readonly goldTimeoutMs: number;
  /** Calls of gold at the same time. */
  readonly concurrency: number;
}

const notColumns = new Set(['prompt', 'prompts', 'messages', 'completion', 'completions', 'final_text']);

/**
 * Make what scores held-out asks: it samples them from the policy, then scores every completion with the proxy it is given
 * and, where there is one, with gold. A call of gold that fails judges nothing; what sampler or proxy throw is thrown.
 */
export function holdoutScorer({ asks, sample, k, maxNewTokens, gold, goldTimeoutMs, concurrency }: Scoring) {
  const prompts = asks.map(({ prompt }) => prompt as Prompt);
  const columns = [...new Set(asks.flatMap((ask) => Object.keys(ask)))].filter((name) => !notColumns.has(name));
  const judged = gold && judgeCaller(gold, { timeoutMs: goldTimeoutMs });
  return async (proxy: RewardFunction): Promise<Sampled[][]> => {
    const texts = await sample(prompts, { n: k, maxNewTokens });
    const flat = asks.flatMap((ask, at) => (texts[at] ?? []).map((text) => ({ ask, text: String(text) })));
    const scores = await proxy({
      prompts: flat.map(({ ask }) => ask['prompt'] as string),
      completions: flat.map(({ text }) => text),
      ...Object.fromEntries(columns.map((name) => [name, flat.map(({ ask }) => ask[name] ?? null)])),
    });
    const golds = judged && (await mapInOrder(flat, concurrency, async (one) => (await judged(rowOf(one))).reward));
    const scored = flat
      .map(({ text }, at): Sampled => {
        const proxied = numericOf(scores[at]) ?? Number.NaN;
        return { text, proxy: proxied, ...(golds && { gold: golds[at] ?? null }) };
      })
      .values();
    return asks.map((_ask, at) => (texts[at] ?? []).flatMap(() => scored.next().value ?? []));
  };
}

/** A completion as a rollout, for whoever judges it by the fields of its ask. */
function rowOf({ ask, text }: { readonly ask: JsonObject; readonly text: string }): Row {
  const prompt = promptText(ask['prompt']);
  const asked = Array.isArray(ask['prompt']) ? ask['prompt'] : [{ role: 'user', content: prompt }];
  const messages = [...asked, { role: 'assistant', content: text }];
  return { ...ask, prompt, final_text: text, steps: [], messages };
}
