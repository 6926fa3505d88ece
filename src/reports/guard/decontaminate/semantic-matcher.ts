import type { Remark } from '../../../core/remarks.ts';
import type { EvalSet } from './eval-texts.ts';

/** A text as numbers that stand for its meaning. */
export type Embedder = (text: string) => ArrayLike<number> | undefined;

/** An evaluation prompt near in meaning. */
export interface SemanticMatch {
  readonly similarity: number;
  readonly eval_prompt: string;
}

/**
 * Make ready to compare texts with the prompts of an evaluation by the cosine of their embeddings. A prompt of the row's own
 * task is no evidence.
 *
 * Cost: one product for each text and prompt.
 */
export function semanticMatcher({ prompts }: EvalSet, embed: Embedder, similarity: number) {
  const known = prompts.flatMap(({ text, task }) => {
    const vector = unit(embed(text));
    return vector ? [{ text, task, vector }] : [];
  });
  return {
    match(text: string, task: string | undefined): SemanticMatch | undefined {
      const vector = unit(embed(text));
      if (!vector) return undefined;
      let best: SemanticMatch | undefined;
      for (const one of known) {
        if (one.task !== undefined && one.task === task) continue;
        const cosine = product(vector, one.vector);
        if (cosine >= similarity - 1e-9 && cosine > (best?.similarity ?? -1))
          best = { similarity: Math.round(cosine * 1000) / 1000, eval_prompt: one.text };
      }
      return best;
    },
    remarks: [ranRemark(known.length, similarity), ...calibrationRemark(known, similarity)],
  };
}

const ranRemark = (n: number, similarity: number): Remark => ({
  code: 'semantic_ran',
  text: `compared by meaning with ${n} evaluation prompts at ${similarity}: a zero means nothing that near, not nothing alike`,
});

/** How near evaluation prompts of different tasks are to each other: a threshold below that flags the domain, not copies. */
function calibrationRemark(
  known: readonly { readonly task: string | undefined; readonly vector: Float64Array }[],
  similarity: number,
): readonly Remark[] {
  const sample = known.filter(({ task }) => task !== undefined).slice(0, calibrated);
  const near = sample.flatMap((a, n) =>
    sample.slice(n + 1).flatMap((b) => (a.task === b.task ? [] : [product(a.vector, b.vector)])),
  );
  if (near.length < 2) return [];
  const p99 = near.sort((a, b) => a - b)[Math.round(0.99 * (near.length - 1))] ?? 0;
  const verdict =
    similarity <= p99
      ? `${similarity} is not above it and flags mere likeness of the domain: raise it`
      : `${similarity} is above it`;
  const text = `99 % of the evaluation prompts of different tasks are nearer than ${p99.toFixed(3)} or less to each other: ${verdict}`;
  return [{ code: 'semantic_calibration', text }];
}
const calibrated = 1000; // prompts; their pairs are enough to read a percentile off

function unit(vector: ArrayLike<number> | undefined): Float64Array | undefined {
  if (!vector || vector.length === 0) return undefined;
  const values = Float64Array.from(vector);
  const length = Math.sqrt(product(values, values));
  return length > 0 ? values.map((value) => value / length) : undefined;
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] ?? 0);
  return sum;
}
