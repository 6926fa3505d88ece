import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringifyJson } from '../../src/core/json.ts';
import type { Sink } from '../../src/core/to-sink.ts';

/**
 * A sink that many processes share, and that holds each id once: a file for each id, which appears whole or not at all. A
 * second row of an id that differs from the first is kept beside it, so that it is seen.
 */
export function finalSet<Row>(folder: string, id: (row: Row) => string): Sink<Row> {
  const put = async (row: Row): Promise<void> => {
    const place = join(folder, encodeURIComponent(id(row)));
    const draft = join(folder, `.${randomUUID()}`);
    const text = stringifyJson(row);
    await writeFile(draft, text);
    try {
      await link(draft, place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if ((await readFile(place, 'utf8')) !== text) await link(draft, `${place}.${randomUUID()}`);
    }
    await unlink(draft);
  };
  return {
    async write(rows) {
      for (const row of rows) await put(row);
    },
    async close() {},
  };
}

/** How many rows a final set has. */
export const sizeOfSet = async (folder: string): Promise<number> => (await files(folder)).length;

/** The rows of a final set, as they were written. */
export const readSet = async (folder: string): Promise<string[]> =>
  Promise.all((await files(folder)).map((name) => readFile(join(folder, name), 'utf8')));

const files = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith('.'));
