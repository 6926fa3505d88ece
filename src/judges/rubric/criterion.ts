import { createHash } from 'node:crypto';
import { TracemillError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { numericOf } from '../../rows/numeric.ts';

/** Fails alone, counts in the mean, or costs when it shows. */
export const criterionKinds = ['hard', 'principle', 'pitfall'] as const;
export type CriterionKind = (typeof criterionKinds)[number];

/** One thing a reply is graded by. */
export interface Criterion {
  readonly title: string;
  readonly description: string;
  /** Above 0. */
  readonly weight: number;
  readonly kind: CriterionKind;
  /** Names its marker, `rubric:<slug>`. */
  readonly slug: string;
}

const kindsByWord: Readonly<Record<string, CriterionKind>> = {
  essential: 'hard',
  'hard rule': 'hard',
  important: 'principle',
  optional: 'principle',
  principle: 'principle',
  pitfall: 'pitfall',
};
const word = '(essential|hard rule|important|optional|principle|pitfall)';
const atStart = new RegExp(`^\\s*[[(]?\\s*${word}\\b`, 'i');
const tagged = new RegExp(`[[(]\\s*${word}(?:\\s+criteria)?\\s*[\\])]`, 'i');
const maxSlug = 40;

/**
 * Read a criterion. Its kind is what `kind` says, else the word of a category that its description or its title begins with,
 * else one in brackets, else a pitfall when its weight is below 0.
 *
 * @throws TM_OPTIONS - `invalid_input`: no title
 * @source rlhfbook ch. 12
 */
export function criterionFromObject(given: unknown): Criterion {
  const fields: JsonObject = isObject(given) ? given : {};
  const title = typeof fields['title'] === 'string' ? fields['title'].trim() : '';
  if (title === '') throw new TracemillError('TM_OPTIONS', 'a criterion needs a title', { reason: 'invalid_input' });
  const description = typeof fields['description'] === 'string' ? fields['description'] : '';
  const weight = numericOf(fields['weight']) ?? 1;
  const size = Number.isFinite(weight) && weight !== 0 ? Math.abs(weight) : 1;
  return {
    title,
    description,
    weight: size,
    kind: kindOf(fields['kind'], description, title, weight),
    slug: slugOf(title),
  };
}

function kindOf(kind: unknown, description: string, title: string, weight: number): CriterionKind {
  const explicit = criterionKinds.find((known) => known === kind);
  if (explicit) return explicit;
  for (const pattern of [atStart, tagged])
    for (const text of [description, title]) {
      const found = pattern.exec(text)?.[1];
      if (found) return kindsByWord[found.toLowerCase()] ?? 'principle';
    }
  return weight < 0 ? 'pitfall' : 'principle';
}

/** Lower case, underscores, at most 40 characters; letters that this would lose become a hash. */
export function slugOf(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  const isWhole = plain.length <= maxSlug && plain !== '' && !/[^\p{ASCII}\p{P}\p{S}\p{Z}]/u.test(title);
  if (isWhole) return plain;
  const hash = createHash('sha256').update(title.normalize('NFKC').toLowerCase()).digest('hex').slice(0, 8);
  return `${plain.slice(0, maxSlug - 9) || 'criterion'}_${hash}`;
}
