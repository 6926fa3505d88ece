import { TracemillError } from '../core/errors.ts';
import { fileBytes } from '../core/file-bytes.ts';
import { jsonIn } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { splitLines } from '../core/lines.ts';
import { isRetraction, revisionOf } from '../rows/revision.ts';
import { openLineFile } from './line-file.ts';

const longestLine = 2 ** 26;
const batchChars = 2 ** 20;

/** Knows the highest revision of each trace that was written, and whether the file holds rows that it replaces. */
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
    /** Whether a row is the last word on its trace. */
    isLatest(row: JsonObject): boolean {
      const id = row['rollout_id'];
      const revision = revisionOf(row);
      return revision === 0 || typeof id !== 'string' || (revision === highest.get(id) && !isRetraction(row));
    },
  };
}

/**
 * Take out of a file of rows what a later revision replaced or took back. The file is written beside itself and takes its
 * place when it is whole. Of rows of one revision, which a replay writes again, the first stays.
 *
 * @throws TM_SINK - the file cannot be written
 */
export async function keepLatest(path: string, known: ReturnType<typeof revisions>): Promise<void> {
  const file = await openLineFile(path, { isReplaced: true, isPrivate: false });
  let held = '';
  try {
    for await (const line of latestLines(path, known)) {
      held += `${line}\n`;
      if (held.length < batchChars) continue;
      await file.append(held);
      held = '';
    }
    await file.append(held);
    await file.finish();
  } catch (cause) {
    throw cause instanceof TracemillError ? cause : new TracemillError('TM_SINK', path, { cause });
  } finally {
    await file.close();
  }
}

async function* latestLines(path: string, known: ReturnType<typeof revisions>): AsyncGenerator<string> {
  const seen = new Set<string>();
  const lines = splitLines(fileBytes(path), longestLine);
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const { text } = next.value;
    const row = rowOf(text) ?? {}; // what is no row is not ours: it stays
    if (!known.isLatest(row)) continue;
    const id = revisionOf(row) > 0 ? String(row['rollout_id']) : undefined;
    if (id !== undefined && seen.size === seen.add(id).size) continue;
    yield text;
  }
}

function rowOf(line: string): JsonObject | undefined {
  const row = jsonIn(line);
  return isObject(row) ? row : undefined;
}
