import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TracemillError } from '../core/errors.ts';
import { jsonIn, stringifyJson } from '../core/json.ts';
import { type TrainingPart, trainingPartSchema } from '../rows/training-part.ts';

/** The entries of a set of parts, on a disk that several processes may share. */
export interface PartLog {
  /** The entry of a part, if it is committed. */
  read(part: string): Promise<TrainingPart | undefined>;
  /** Commit a part with its text. False: another process has given this name to a part of its own. */
  commit(entry: TrainingPart, text: string): Promise<boolean>;
}

/**
 * The parts in a folder. A part is committed by the name of its entry, which the file system gives once: text and entry are
 * on the disk before. A text without an entry, which a kill can leave, belongs to nothing.
 *
 * @throws TM_SINK - the folder cannot be read or written, or an entry is damaged
 */
export function openPartLog(folder: string): PartLog {
  const entryPath = (part: string): string => join(folder, 'manifest', `${part}.json`);
  return {
    async read(part) {
      let text: string;
      try {
        text = await readFile(entryPath(part), 'utf8');
      } catch (cause) {
        if (codeOf(cause) === 'ENOENT') return undefined;
        throw failed(entryPath(part), cause);
      }
      const entry = trainingPartSchema.safeParse(jsonIn(text));
      if (entry.success) return entry.data;
      throw new TracemillError('TM_SINK', `${entryPath(part)} is damaged: restore it, or start a set in a new folder`);
    },
    async commit(entry, text) {
      const path = entryPath(entry.part);
      const draft = `${path}.${randomUUID()}.draft`;
      try {
        await stored(join(folder, entry.file), text);
        await stored(draft, `${stringifyJson(entry)}\n`);
        await link(draft, path);
        await syncFolder(join(folder, 'manifest'));
        return true;
      } catch (cause) {
        if (codeOf(cause) !== 'EEXIST') throw failed(path, cause);
        return false;
      } finally {
        await rm(draft, { force: true });
      }
    },
  };
}

/** Write a file and wait until it is on the disk. */
async function stored(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().catch(() => {}); // some file systems do not sync folders
  await folder.close();
}

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code;
const busy = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY']);
const failed = (path: string, cause: unknown): TracemillError =>
  new TracemillError('TM_SINK', `${path} cannot be written`, { cause, retriable: busy.has(codeOf(cause) ?? '') });
