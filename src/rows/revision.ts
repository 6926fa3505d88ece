import type { JsonObject } from '../core/json-object.ts';
import type { Row } from './row.ts';

/** Which telling of a trace a row is: a higher one replaces all lower ones of its `rollout_id`. 0 for a row told once. */
export function revisionOf(row: JsonObject): number {
  const revision = row['revision'];
  return typeof revision === 'number' && Number.isFinite(revision) && revision > 0 ? revision : 0;
}

/** Say whether a row only takes back what was told before under its `rollout_id`. */
export const isRetraction = (row: JsonObject): boolean => row['retracted'] === true;

/** Why a row that was told again is not read: a later one replaced it, or took it back. */
export type Replaced = 'superseded' | 'retracted';
const replacedReasons: ReadonlySet<string> = new Set<Replaced>(['superseded', 'retracted']);

/** Whether a row was left out because another one of its trace stands in its place. */
export const isReplaced = (reason: string): boolean => replacedReasons.has(reason);

export type Revisions = ReturnType<typeof revisions>;

/** Knows the highest revision of each trace that was seen, and whether there are rows that it replaces. */
export function revisions() {
  const highest = new Map<string, number>();
  let isStale = false;
  return {
    saw(row: JsonObject): void {
      const revision = revisionOf(row);
      const id = row['rollout_id'];
      if (revision === 0 || typeof id !== 'string') return;
      const before = highest.get(id);
      isStale ||= before !== undefined || isRetraction(row);
      highest.set(id, Math.max(revision, before ?? 0));
    },
    /** Whether there is something to take out. */
    isStale: () => isStale,
    /** Why a row is not the last word on its trace; undefined when it is. */
    replacedBy(row: JsonObject): Replaced | undefined {
      const id = row['rollout_id'];
      const revision = revisionOf(row);
      if (revision === 0 || typeof id !== 'string') return undefined;
      if (revision < (highest.get(id) ?? 0)) return 'superseded';
      return isRetraction(row) ? 'retracted' : undefined;
    },
  };
}

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
 * revision the last is kept: a replay tells the same. Rows without a revision or an id are all kept. Memory: a pointer a row.
 *
 * @source house rule
 */
export function latestRevisions<Row extends JsonObject>(rows: Iterable<Row>): Row[] {
  const kept = new Map<string | number, Row>();
  let at = 0;
  for (const row of rows) {
    const id = revisionOf(row) > 0 && row['rollout_id'] ? String(row['rollout_id']) : at++; // its place: it has no equal
    const known = kept.get(id);
    if (known === undefined || revisionOf(row) >= revisionOf(known)) kept.set(id, row);
  }
  return [...kept.values()].filter((row) => !isRetraction(row));
}
