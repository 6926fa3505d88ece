import { TracemillError } from '../core/errors.ts';
import { fileBytes } from '../core/file-bytes.ts';
import { objectIn } from '../core/json.ts';
import { splitLines } from '../core/lines.ts';
import { type Revisions, revisionOf } from '../rows/revision.ts';
import { openLineFile } from './line-file.ts';

const longestLine = 2 ** 26;
const batchChars = 2 ** 20;

/**
 * Take out of a file of rows what a later revision replaced or took back. The file is written beside itself and takes its
 * place when it is whole. Of rows of one revision, which a replay writes again, the first stays.
 *
 * @throws TM_SINK - the file cannot be written
 */
export async function keepLatest(path: string, known: Revisions): Promise<void> {
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

async function* latestLines(path: string, known: Revisions): AsyncGenerator<string> {
  const seen = new Set<string>();
  const lines = splitLines(fileBytes(path), longestLine);
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const { text } = next.value;
    const row = objectIn(text) ?? {}; // what is no row is not ours: it stays
    if (known.replacedBy(row) !== undefined) continue;
    const id = revisionOf(row) > 0 ? String(row['rollout_id']) : undefined;
    if (id !== undefined && seen.size === seen.add(id).size) continue;
    yield text;
  }
}
