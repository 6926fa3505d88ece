import { constants } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { TracemillError } from '../core/errors.ts';

/** A file that grows by whole lines. */
export interface LineFile {
  readonly path: string;
  /** Bytes of an unfinished last line that were cut away when it was opened. */
  readonly cutBytes: number;
  /** Write whole lines. When that fails, none of them is in the file. */
  append(lines: string): Promise<void>;
  /** Wait until what was written is on the disk. */
  sync(): Promise<void>;
  /** Fail when the file was removed or opened anew by another run since: what is at its path is not what was written here. */
  checkOurs(): Promise<void>;
  /** All is written: put the file on the disk and in its place. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

interface Opening {
  /** Write beside the file, and take its place at `finish`. */
  readonly isReplaced: boolean;
  /** Only the owner may read it. */
  readonly isPrivate: boolean;
}

/**
 * Open a file for whole lines. A last line without its end is cut away, unless it is JSON: then only its end was missing.
 *
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export async function openLineFile(
  path: string,
  { isReplaced, isPrivate }: Opening,
  openFile: typeof open = open,
): Promise<LineFile> {
  try {
    const place = await realpath(path).catch(() => path); // a link stays a link
    const found = await stat(place).catch(() => undefined); // nothing there yet, or open says why not
    const isFile = found?.isFile() ?? true; // a pipe or a device cannot be replaced, cut or put on a disk
    const beside = isReplaced && isFile ? `${place}.partial` : undefined;
    if (beside !== undefined) await rm(beside, { force: true }); // a run that still writes it must not share ours
    const flags =
      (isFile ? constants.O_RDWR : constants.O_WRONLY) | constants.O_CREAT | (beside ? constants.O_EXCL : 0);
    const file = await openFile(beside ?? place, flags, isPrivate ? 0o600 : 0o666);
    if (isPrivate && isFile) await file.chmod(0o600);
    const before = isFile ? (await file.stat()).size : 0;
    let size = isFile ? await wholeLines(file, before) : 0;
    const write = async (lines: string): Promise<void> => {
      const bytes = Buffer.from(lines);
      if (isFile) size = await writeAll(file, bytes, size);
      else await file.writeFile(bytes);
    };
    const checkOurs = async (): Promise<void> => {
      const [ours, there] = [await file.stat(), await stat(beside ?? place).catch(() => undefined)];
      if (!isFile || (ours.ino === there?.ino && ours.dev === there.dev)) return;
      const what = there
        ? 'another run writes it at the same time, and this one gave way'
        : 'it was removed while it was written';
      throw new TracemillError('TM_SINK', `${path}: ${what}`, { reason: there ? 'taken' : 'removed' });
    };
    const finish = async (): Promise<void> => {
      if (isFile) await file.sync();
      if (beside !== undefined) await checkOurs();
      if (beside !== undefined) await rename(beside, place);
    };
    const say = (work: Promise<void>): Promise<void> =>
      work.catch((cause: unknown) => {
        throw cause instanceof TracemillError ? cause : failure(path, cause);
      });
    return {
      path: beside ?? place,
      cutBytes: Math.max(0, before - size),
      append: (lines) => say(write(lines)),
      sync: () => say(isFile ? file.datasync() : Promise.resolve()),
      checkOurs: () => say(checkOurs()),
      finish: () => say(finish()),
      close: () => file.close(),
    };
  } catch (cause) {
    throw failure(path, cause);
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<number> {
  let written = 0;
  try {
    while (written < bytes.length) {
      const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
      written += bytesWritten;
    }
    return at + written;
  } catch (error) {
    await file.truncate(at).catch(() => {}); // what can be done; the error says what is wrong
    throw error;
  }
}

const blockBytes = 1 << 16;
const newline = 10;

/** Make the file end with a line end, and say how long it is then. */
async function wholeLines(file: FileHandle, size: number): Promise<number> {
  const end = await endOfLastLine(file, size);
  if (end === size) return size;
  const tail = Buffer.alloc(size - end);
  await file.read(tail, 0, tail.length, end);
  if (isJsonObject(tail.toString('utf8'))) return writeAll(file, Buffer.of(newline), size);
  await file.truncate(end);
  return end;
}

async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(blockBytes);
  for (let end = size; end > 0; end -= blockBytes) {
    const start = Math.max(0, end - blockBytes);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const at = block.subarray(0, bytesRead).lastIndexOf(newline);
    if (at !== -1) return start + at + 1;
  }
  return 0;
}

/** Part of an object is never an object; part of a number may be a number. */
function isJsonObject(text: string): boolean {
  try {
    return text.startsWith('{') && typeof JSON.parse(text) === 'object';
  } catch {
    return false; // it was cut
  }
}

const words: Readonly<Record<string, readonly [reason: string, words: string]>> = {
  ENOSPC: ['disk_full', 'the disk is full: nothing of the last rows is in the file'],
  EDQUOT: ['disk_full', 'the disk quota is used up: nothing of the last rows is in the file'],
  ENOENT: ['no_folder', 'the folder does not exist'],
  ENOTDIR: ['no_folder', 'the folder does not exist'],
  EISDIR: ['is_folder', 'this is a folder: name a file in it'],
  EACCES: ['no_permission', 'it may not be written'],
  EROFS: ['no_permission', 'it may not be written'],
};
const passing = new Set(['ENOSPC', 'EDQUOT', 'EBUSY', 'EAGAIN']);

function failure(path: string, cause: unknown): TracemillError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const [reason, said] = words[code] ?? ['unwritable', 'it cannot be written'];
  return new TracemillError('TM_SINK', `${path}: ${said}`, { cause, reason, retriable: passing.has(code) });
}
