import { isObject, type JsonObject } from '../../core/json-object.ts';
import { findJson } from '../verifiers/extract-json.ts';
import { truthOf } from './truth.ts';

/** What a judge said of the criteria: by title, or by number; null results when it said nothing readable. */
export interface CriteriaReply {
  readonly results: Readonly<Record<string, boolean | null>> | null;
  readonly reason: string;
}

/** Read a rubric judge's reply: `{criteria: [{title, met}], reason}`, or `criteria` as an object. */
export function parseCriteriaReply(text: string): CriteriaReply {
  const read = findJson(text);
  if (!read.found || !isObject(read.value)) return { results: null, reason: '' };
  const reason = typeof read.value['reason'] === 'string' ? read.value['reason'] : '';
  return { results: criteriaResults(read.value['criteria']), reason };
}

/** Read the verdicts on criteria, a list or an object of them; null when they are neither. */
export function criteriaResults(criteria: unknown): CriteriaReply['results'] {
  const entries = Array.isArray(criteria)
    ? criteria.filter(isObject).flatMap(entryOf)
    : isObject(criteria)
      ? Object.entries(criteria)
      : undefined;
  return entries === undefined ? null : Object.fromEntries(entries.map(([key, value]) => [key, truthOf(metIn(value))]));
}

function entryOf(item: JsonObject): [string, unknown][] {
  const key = item['title'] ?? item['number'] ?? item['id'];
  return key === undefined || key === null || key === '' ? [] : [[String(key), item]];
}

const metIn = (value: unknown) => (isObject(value) ? (value['met'] ?? value['value'] ?? value['verdict']) : value);

/** Read a rubric writer's reply: the objects with a title of its array; null when no array parses. */
export function parseRubricReply(text: string): readonly JsonObject[] | null {
  const read = findJson(text);
  if (!read.found) return null;
  const list = isObject(read.value) ? (read.value['criteria'] ?? read.value['rubric']) : read.value;
  if (!Array.isArray(list)) return null;
  return list.filter(
    (item): item is JsonObject => isObject(item) && typeof item['title'] === 'string' && item['title'] !== '',
  );
}
