import { stat } from 'node:fs/promises';
import { Observable } from 'rxjs';
import { fileBytes } from '../core/file-bytes.ts';
import { objectIn } from '../core/json.ts';
import { splitLines } from '../core/lines.ts';
import { type Revisions, revisions } from '../rows/revision.ts';

const longestLine = 2 ** 26;
const restEvery = 4096; // lines

/**
 * Find the highest revision of each trace in files of rows, before they are read: what replaces a row may stand after it, or
 * in a later file. Only lines that name a revision are parsed. A pipe, such as the standard input, can be read once: of it
 * nothing is known, and only a row after its replacement is found. Cost: the files are read twice, one name and a number a
 * trace with a revision.
 */
export function revisionsIn(paths: readonly string[]): Observable<Revisions> {
  return new Observable((subscriber) => {
    const known = revisions();
    const scan = async (): Promise<void> => {
      for (const path of paths) if (await isFile(path)) await scanFile(path, known, () => subscriber.closed);
    };
    scan().then(
      () => {
        subscriber.next(known);
        subscriber.complete();
      },
      (cause: unknown) => subscriber.error(cause),
    );
  });
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false, // who reads it says what is wrong with it
  );

async function scanFile(path: string, known: Revisions, isOver: () => boolean): Promise<void> {
  const lines = splitLines(fileBytes(path), longestLine);
  try {
    for (let next = await lines.next(); !next.done && !isOver(); next = await lines.next()) {
      const { text, number } = next.value;
      if (number % restEvery === 0) await new Promise((done) => setImmediate(done)); // a signal must be heard
      if (!text.includes('"revision"')) continue;
      const row = objectIn(text);
      if (row) known.saw(row);
    }
  } catch {
    return; // who reads it says what is wrong with it
  } finally {
    await lines.return?.();
  }
}
