import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.ts';
import { TracemillError } from '../../core/errors.ts';
import { isObject } from '../../core/json-object.ts';
import { type Criterion, criterionFromObject } from './criterion.ts';

/** What a reply is graded by. */
export interface Rubric {
  readonly criteria: readonly Criterion[];
  readonly version: string;
}

/**
 * Read a rubric: a list of criteria, or an object that has one.
 *
 * @throws TM_OPTIONS - `invalid_input`: no criterion, or two of one name
 * @source rlhfbook ch. 12
 */
export function rubricFromObject(given: unknown): Rubric {
  const list = isObject(given) ? given['criteria'] : given;
  const criteria = (Array.isArray(list) ? list : []).map(criterionFromObject);
  if (criteria.length === 0) throw wrong('a rubric needs a criterion');
  const slugs = new Set<string>();
  for (const { slug, title } of criteria) {
    if (slugs.has(slug)) throw wrong(`two criteria are called ${title}`);
    slugs.add(slug);
  }
  return { criteria, version: rubricVersion(criteria) };
}

const wrong = (message: string) => new TracemillError('TM_OPTIONS', message, { reason: 'invalid_input' });

/** Name a rubric by what it says: the first 12 hex digits of the SHA-256 of its criteria. */
export function rubricVersion(criteria: readonly Criterion[]): string {
  const said = criteria.map(({ title, description, weight, kind }) => ({ title, description, weight, kind }));
  return createHash('sha256').update(canonicalJson(said)).digest('hex').slice(0, 12);
}
