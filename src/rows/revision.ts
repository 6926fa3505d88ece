import type { JsonObject } from '../core/json-object.ts';
import type { Row } from './row.ts';

/** Which telling of a trace a row is: a higher one replaces all lower ones of its `rollout_id`. 0 for a row told once. */
export function revisionOf(row: JsonObject): number {
  const revision = row['revision'];
  return typeof revision === 'number' && Number.isFinite(revision) && revision > 0 ? revision : 0;
}

/** Say whether a row only takes back what was told before under its `rollout_id`. */
export const isRetraction = (row: JsonObject): boolean => row['retracted'] === true;

/** Take back what was told of a trace: the next revision of its row, without what it said, and with the rows that it went into. */
export function retractionOf({ rollout_id, conversation_id, revision }: Row, by: readonly Row[]): Row {
  return {
    schema_version: '1',
    ...{ prompt: '', steps: [], final_text: '' },
    ...{ rollout_id, conversation_id, revision: Number(revision) + 1 },
    ...{ retracted: true, superseded_by: by.map((row) => row.rollout_id) },
  } as Row;
}

/**
 * Keep of each trace the highest revision, in the place of its first, and nothing of what was retracted. Of two rows of one
 * revision the last is kept: a replay tells the same. Rows without a revision or an id are all kept. Memory: the rows.
 *
 * @source house rule
 */
export function latestRevisions<Row extends JsonObject>(rows: Iterable<Row>): Row[] {
  const kept = new Map<unknown, Row>();
  for (const row of rows) {
    const id = revisionOf(row) > 0 && row['rollout_id'] ? String(row['rollout_id']) : row; // itself: it has no equal
    const known = kept.get(id);
    if (known === undefined || revisionOf(row) >= revisionOf(known)) kept.set(id, row);
  }
  return [...kept.values()].filter((row) => !isRetraction(row));
}
