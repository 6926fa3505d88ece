import { z } from 'zod';
import { parseOptions } from '../../core/operator.ts';
import { visitSimilarSets } from '../../text/similar-sets.ts';
import { wordsOf } from '../../text/words.ts';

const options = z.strictObject({
  threshold: z.number().gt(0).max(1).default(0.8).describe('Share of common words from which two prompts are near.'),
});
const shown = 5;

/**
 * Report prompts that say nearly the same: token-set Jaccard over distinct prompts. Nothing is dropped. Time grows with the
 * pairs that share rare words, not with the square of the prompts.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 12
 */
export function nearDuplicatePrompts(prompts: Iterable<string>, given: z.input<typeof options> = {}) {
  const { threshold } = parseOptions('nearDuplicatePrompts', options, given);
  const distinct = [...new Set(prompts)];
  const involved = new Uint8Array(distinct.length);
  let n_pairs = 0;
  let first: { readonly a: number; readonly b: number; readonly jaccard: number }[] = [];
  visitSimilarSets(distinct.map(wordsOf), threshold, (a, b, jaccard) => {
    n_pairs++;
    involved[a] = 1;
    involved[b] = 1;
    if (first.length === shown && a >= (first.at(-1)?.a ?? 0)) return;
    first = [...first, { a, b, jaccard }].sort((x, y) => x.a - y.a || x.b - y.b).slice(0, shown);
  });
  return {
    n_prompts: distinct.length,
    n_pairs,
    n_prompts_involved: involved.reduce((sum, one) => sum + one, 0),
    threshold,
    examples: first.map(({ a, b, jaccard }) => ({
      a: (distinct[a] ?? '').slice(0, 80),
      b: (distinct[b] ?? '').slice(0, 80),
      jaccard: Math.round(jaccard * 1000) / 1000,
    })),
  };
}
