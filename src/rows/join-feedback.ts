import { isObject, type JsonObject } from '../core/json-object.ts';
import { revisionOf } from './revision.ts';
import type { Row } from './row.ts';

/** Tell a row that holds verdicts only, of a trace that was told before. */
export const isFeedback = (row: JsonObject): boolean => row['is_feedback'] === true;

/**
 * Put late verdicts on the row of their trace: the next revision of it. `feedback` says when each verdict on it was given, by
 * name; of one name the later counts. Verdicts that the row has already, as a replay brings them, change nothing: the row
 * comes back as it is.
 *
 * @source house rule
 */
export function joinFeedback(row: Row, said: Row): Row {
  const known = textsIn(row['feedback']);
  const given = textsIn(said['feedback']);
  const later = Object.keys(given).filter((name) => BigInt(given[name] ?? 0) > BigInt(known[name] ?? 0));
  if (later.length === 0) return row;
  const of = (fields: unknown): JsonObject =>
    isObject(fields) ? Object.fromEntries(Object.entries(fields).filter(([name]) => later.includes(name))) : {};
  return {
    ...row,
    ...(later.includes('reward') && typeof said.reward === 'number' && { reward: said.reward }),
    markers: { ...(isObject(row.markers) ? row.markers : {}), ...of(said.markers) },
    feedback: { ...known, ...of(given) },
    revision: revisionOf(row) + later.length,
  } as Row;
}

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(([, one]) => typeof one === 'string' && /^\d+$/.test(one)) as [string, string][],
      )
    : {};
