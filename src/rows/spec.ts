import { createHash } from 'node:crypto';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';

const options = z.strictObject({
  id: z.string().optional().describe('Name of the specification. Its own id, its file, else `spec`.'),
  version: z.string().optional().describe('Version to stamp. A hash of the content when left out.'),
});

/** One thing the policy should do. */
export interface Trait {
  readonly id: string;
  readonly name: string;
  readonly principle: string;
  readonly authority: string;
}

/** A specification of behaviour: what rows are made and judged after. */
export interface Spec {
  readonly id: string;
  /** The first 12 hex digits of sha256 over id and traits, unless one was given. */
  readonly version: string;
  readonly traits: readonly Trait[];
  /** The ids of the traits. */
  readonly behaviors: readonly string[];
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

/**
 * Read a specification: an object with `traits` or `principles`, or a list of them; a trait is a sentence or an object. A
 * version saved with a specification that was edited since is stale: the content counts.
 *
 * @throws TM_OPTIONS - neither object nor list (`type_error`), or two traits with one id
 * @source rlhfbook ch. 17
 */
export function loadSpec(value: unknown, config: z.input<typeof options> = {}): Spec {
  const given = parseOptions('loadSpec', options, config);
  if (!isObject(value) && !Array.isArray(value)) throw typeError('a specification is an object or a list of traits');
  const saved = isObject(value) ? value : {};
  const listed = Array.isArray(value) ? value : (saved['traits'] ?? saved['principles'] ?? []);
  if (!Array.isArray(listed)) throw typeError('traits is a list');
  const traits = listed.map(traitOf);
  const ids = traits.map((trait) => trait.id);
  if (new Set(ids).size < ids.length)
    throw new TracemillError('TM_OPTIONS', `loadSpec: two traits have one id among ${ids.join(', ')}`);
  const source = isObject(saved['source']) ? saved['source'] : {};
  const id = textOf(given.id, saved['id'], source['file']) ?? 'spec';
  const content = hashOf(id, traits);
  const stored = textOf(saved['version']);
  const isStale = given.version === undefined && stored !== undefined && stored !== content;
  return {
    id,
    version: given.version ?? content,
    traits,
    behaviors: ids,
    warnings: isStale
      ? [`The saved version ${stored} is not of this content: it was edited and is now ${content}.`]
      : [],
    warning_codes: isStale ? ['stale_version'] : [],
  };
}

/** Stamp copies of the rows with the specification they follow. */
export function stampSpec<R extends JsonObject>(rows: readonly R[], { id, version }: Pick<Spec, 'id' | 'version'>) {
  return rows.map((row) => ({ ...row, spec_id: id, spec_version: version }));
}

function traitOf(trait: unknown, at: number): Trait {
  if (typeof trait === 'string') return { id: `trait_${at}`, name: '', principle: trait, authority: 'should' };
  if (!isObject(trait)) throw typeError(`trait ${at} is neither a sentence nor an object`);
  return {
    id: textOf(trait['id'], trait['name']) ?? `trait_${at}`,
    name: textOf(trait['name']) ?? '',
    principle: textOf(trait['principle'], trait['body']) ?? '',
    authority: textOf(trait['authority']) ?? 'should',
  };
}

/** Versions are shared with programs that hash JSON with a space after comma and colon and sorted keys. */
function hashOf(id: string, traits: readonly Trait[]): string {
  const text = (value: string) => JSON.stringify(value);
  const list = traits.map(
    (trait) =>
      `{"authority": ${text(trait.authority)}, "id": ${text(trait.id)}, "name": ${text(trait.name)}, "principle": ${text(trait.principle)}}`,
  );
  const json = `{"id": ${text(id)}, "traits": [${list.join(', ')}]}`;
  return createHash('sha256').update(json).digest('hex').slice(0, 12);
}

const textOf = (...values: readonly unknown[]): string | undefined => {
  const found = values.find((value) => value !== undefined && value !== null && value !== '');
  return found === undefined ? undefined : String(found);
};
const typeError = (what: string) => new TracemillError('TM_OPTIONS', `loadSpec: ${what}`, { reason: 'type_error' });
