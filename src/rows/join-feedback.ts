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
  const later = new Set(
    [...given].flatMap(([name, time]) => (BigInt(time) > BigInt(known.get(name) ?? 0) ? name : [])),
  );
  if (later.size === 0) return row;
  const of = (fields: unknown): JsonObject =>
    isObject(fields) ? Object.fromEntries(Object.entries(fields).filter(([name]) => later.has(name))) : {};
  const { feedback_notes: _old, ...kept } = row as JsonObject;
  return {
    ...kept,
    ...(later.has('reward') && typeof said.reward === 'number' && { reward: said.reward }),
    markers: { ...(isObject(row.markers) ? row.markers : {}), ...of(said.markers) },
    feedback: { ...Object.fromEntries(known), ...of(Object.fromEntries(given)) },
    ...notesOf(row, said, later),
    revision: revisionOf(row) + later.size,
  } as Row;
}

/** What was said with the verdicts. That of a verdict which was corrected goes with it. */
function notesOf(row: JsonObject, said: JsonObject, later: ReadonlySet<string>): JsonObject {
  const entries = (fields: unknown) => Object.entries(isObject(fields) ? fields : {});
  const kept = entries(row['feedback_notes']).filter(([name]) => !later.has(name));
  const notes = [...kept, ...entries(said['feedback_notes']).filter(([name]) => later.has(name))];
  return notes.length > 0 ? { feedback_notes: Object.fromEntries(notes) } : {};
}

/** Names come from outside, `constructor` may be one: they are no keys of an object here. */
const textsIn = (value: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isObject(value) ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && /^\d+$/.test(entry[1]),
    ),
  );
