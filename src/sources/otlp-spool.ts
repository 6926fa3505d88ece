import { type FileHandle, open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { makeFolder } from '../core/make-folder.ts';
import { parseOptions } from '../core/operator.ts';

/** A request as it came. */
export interface SpoolEntry {
  readonly path: string;
  /** Its content type and content encoding. */
  readonly type: string;
  readonly encoding: string;
  /** When it came, in ms since 1970. */
  readonly receivedMs: number;
  readonly body: Uint8Array;
}

/** Requests on disk, from before their answer until all that came of them is stored. */
export interface Spool {
  /**
   * Resolves when the request is on the disk. Call the result when it is needed no more.
   *
   * @throws TM_SOURCE - `spool_full` when there is no room, `spool` when the disk fails: nothing was stored
   */
  append(entry: SpoolEntry): Promise<() => void>;
  /** What an earlier process left, in the order it came. A last request that was not whole was never answered. */
  left(): AsyncIterable<{ readonly entry: SpoolEntry; readonly done: () => void }>;
  /** Bytes on disk. */
  bytes(): number;
  close(): Promise<void>;
}

const options = z.strictObject({
  folder: z.string().min(1).describe('Folder of the spool; one process uses it.'),
  maxBytes: z
    .int()
    .min(1)
    .default(4 * 1024 ** 3)
    .describe('Most bytes on disk. When they are used up, senders are told to come again.'),
  segmentBytes: z
    .int()
    .min(1)
    .default(16 * 1024 ** 2)
    .describe('Size of a file of the spool. It is deleted when nothing in it is needed.'),
});

interface Segment {
  readonly path: string;
  bytes: number;
  needed: number;
  isOpen: boolean;
}

interface Waiting {
  readonly record: Buffer;
  readonly resolve: (done: () => void) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Open a spool. Requests that wait at the same time are written and synced together: one sync for each batch, 0.4 ms on a
 * disk of today, whatever the number of senders. Disk: the bodies as they came (compressed ones stay so) and 16 bytes each,
 * from their arrival until everything in their file of `segmentBytes` is done. Memory: some numbers for each file.
 *
 * @throws TM_SOURCE - the folder cannot be used
 */
export async function openSpool(config: z.input<typeof options>): Promise<Spool> {
  const { folder, maxBytes, segmentBytes } = parseOptions('spool', options, config);
  const old = await leftIn(folder);
  const segments = new Set<Segment>(old);
  let next = old.length === 0 ? 0 : numberIn(old.at(-1)?.path ?? '') + 1;
  let current: { readonly segment: Segment; readonly file: FileHandle } | undefined;
  let bytes = old.reduce((sum, segment) => sum + segment.bytes, 0);
  let queued = 0;
  let writing: Promise<void> | undefined;
  const waiting: Waiting[] = [];
  const removals = new Set<Promise<void>>();

  const release = (segment: Segment): void => {
    if (segment.needed > 0 || segment.isOpen || !segments.delete(segment)) return;
    bytes -= segment.bytes;
    const removal = rm(segment.path, { force: true })
      .catch(() => {}) // left over: it is read again, and told again as it was
      .finally(() => removals.delete(removal));
    removals.add(removal);
  };
  const doneWith = (segment: Segment) => {
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      segment.needed--;
      release(segment);
    };
  };
  const rotate = async (): Promise<void> => {
    const before = current;
    current = undefined;
    if (!before) return;
    before.segment.isOpen = false;
    await before.file.close();
    release(before.segment);
  };
  const opened = async (): Promise<{ readonly segment: Segment; readonly file: FileHandle }> => {
    if (current && current.segment.bytes >= segmentBytes) await rotate();
    if (current) return current;
    const path = join(folder, `${String(next++).padStart(9, '0')}.spool`);
    const file = await open(path, 'ax', 0o600);
    await syncFolder(folder); // or a power cut loses the file with all that is in it
    const segment = { path, bytes: 0, needed: 0, isOpen: true };
    segments.add(segment);
    current = { segment, file };
    return current;
  };
  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const { segment, file } = await opened();
      const block = Buffer.concat(batch.map(({ record }) => record));
      try {
        await writeAll(file, block, segment.bytes);
        await file.datasync();
      } catch (error) {
        await file.truncate(segment.bytes).catch(() => {}); // what can be done; the next batch takes a new file
        await rotate().catch(() => {});
        throw error;
      }
      segment.bytes += block.length;
      bytes += block.length;
      segment.needed += batch.length;
      for (const { resolve } of batch) resolve(doneWith(segment));
    } catch (cause) {
      const error = new TracemillError('TM_SOURCE', `${folder}: the spool cannot be written`, {
        cause,
        reason: 'spool',
      });
      for (const { reject } of batch) reject(error);
    }
  };
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0);
      await writeBatch(batch);
      queued -= batch.reduce((sum, { record }) => sum + record.length, 0);
    }
    writing = undefined;
  };
  return {
    append(entry) {
      const record = recordOf(entry);
      if (bytes + queued + record.length > maxBytes)
        return Promise.reject(new TracemillError('TM_SOURCE', `${folder} is full`, { reason: 'spool_full' }));
      queued += record.length;
      const stored = new Promise<() => void>((resolve, reject) => waiting.push({ record, resolve, reject }));
      writing ??= drain();
      return stored;
    },
    async *left() {
      for (const segment of old) {
        segment.needed++; // its own, until all of it is read
        for await (const entry of entriesOf(segment.path)) {
          segment.needed++;
          yield { entry, done: doneWith(segment) };
        }
        segment.needed--;
        segment.isOpen = false;
        release(segment);
      }
    },
    bytes: () => bytes,
    async close() {
      await writing;
      await rotate();
      await Promise.all(removals);
      if (segments.size === 0) await rmdir(folder).catch(() => {}); // not empty: somebody else's files
    },
  };
}

async function leftIn(folder: string): Promise<Segment[]> {
  try {
    await makeFolder(folder, 0o700);
    const names = (await readdir(folder)).filter((name) => /^\d{9}\.spool$/.test(name)).sort();
    return await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name);
        return { path, bytes: (await stat(path)).size, needed: 0, isOpen: true };
      }),
    );
  } catch (cause) {
    throw new TracemillError('TM_SOURCE', `${folder}: the spool cannot be used`, { cause, reason: 'spool' });
  }
}

const numberIn = (path: string) => Number(/(\d{9})\.spool$/.exec(path)?.[1] ?? 0);

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
}

const prefixBytes = 12;

/** Length of the head, length of the body, check of both; the head as JSON; the body. */
function recordOf({ body, ...head }: SpoolEntry): Buffer {
  const words = Buffer.from(JSON.stringify(head));
  const record = Buffer.allocUnsafe(prefixBytes + words.length + body.byteLength);
  record.writeUInt32LE(words.length, 0);
  record.writeUInt32LE(body.byteLength, 4);
  words.copy(record, prefixBytes);
  record.set(body, prefixBytes + words.length);
  record.writeUInt32LE(crc32(record.subarray(prefixBytes)), 8);
  return record;
}

/** The whole requests of a file. It ends where one is cut or damaged: that one was never answered. */
async function* entriesOf(path: string): AsyncGenerator<SpoolEntry> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const prefix = Buffer.alloc(prefixBytes);
    for (let at = 0; at + prefixBytes <= size; ) {
      await file.read(prefix, 0, prefixBytes, at);
      const [head, body] = [prefix.readUInt32LE(0), prefix.readUInt32LE(4)];
      const length = head + body;
      if (at + prefixBytes + length > size) return;
      const rest = Buffer.alloc(length);
      await file.read(rest, 0, length, at + prefixBytes);
      if (crc32(rest) !== prefix.readUInt32LE(8)) return;
      yield { ...JSON.parse(rest.toString('utf8', 0, head)), body: rest.subarray(head) };
      at += prefixBytes + length;
    }
  } finally {
    await file.close();
  }
}
