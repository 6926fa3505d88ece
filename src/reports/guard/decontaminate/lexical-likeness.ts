import type { JsonObject } from '../../../core/json-object.ts';
import { visitSimilarAcross } from '../../../text/similar-sets.ts';
import { wordsOf } from '../../../text/words.ts';
import type { EvalSet } from './eval-texts.ts';

const likeFrom = 0.65; // Jaccard of word triples, digits folded: one word changed in the middle of 17 leaves 0.667
const shown = 5;

/**
 * Report kept rows whose texts are much like an evaluation text though no rule hit: word triples with digits folded. For a
 * person to look at; nothing is dropped.
 *
 * @source house rule
 */
export function lexicalLikeness(rows: readonly JsonObject[], { texts }: EvalSet, fields: readonly string[]) {
  const owned = rows.flatMap((row, index) =>
    fields.flatMap((field) => (typeof row[field] === 'string' ? [{ index, field, text: row[field] }] : [])),
  );
  const like = new Map<number, { readonly field: string; readonly eval_text: string; readonly jaccard: number }>();
  visitSimilarAcross(
    owned.map(({ text }) => triples(text)),
    texts.map(({ text }) => triples(text)),
    likeFrom,
    (left, right, jaccard) => {
      const { index, field } = owned[left] as (typeof owned)[number];
      const eval_text = (texts[right]?.text ?? '').slice(0, 80);
      if (!like.has(index)) like.set(index, { field, eval_text, jaccard: Math.round(jaccard * 1000) / 1000 });
      return false; // one is enough to look at the row
    },
  );
  return {
    n: like.size,
    threshold: likeFrom,
    examples: [...like].slice(0, shown).map(([kept_index, one]) => ({ kept_index, ...one })),
  };
}

function triples(text: string): readonly string[] {
  const words = wordsOf(text).map((word) => word.replace(/\p{N}+/gu, '0'));
  return words.slice(2).map((third, at) => `${words[at]} ${words[at + 1]} ${third}`);
}
