import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TracemillError } from './errors.ts';

const chunkBytes = 1 << 20;

/**
 * Read the bytes of a file, or of the standard input for `-`, in chunks of at most 1 MiB; gzip is recognised by its first
 * bytes and unpacked. A chunk is valid until the next is asked for.
 *
 * @throws TM_SOURCE - `not_found`, `is_folder`, `utf16`, `broken_gzip`, `unreadable`
 */
export async function* fileBytes(path: string): AsyncGenerator<Buffer, void> {
  try {
    const chunks = path === '-' ? standardInput() : fileChunks(path);
    const first = await chunks.next();
    if (first.done) return;
    const [a, b] = first.value;
    if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) throw wrong(path, 'utf16', undefined);
    const all = joined(first.value, chunks);
    if (a === 0x1f && b === 0x8b) yield* gunzipped(all);
    else yield* all;
  } catch (cause) {
    throw cause instanceof TracemillError ? cause : wrong(path, reasonOf(cause as NodeJS.ErrnoException), cause);
  }
}

async function* standardInput(): AsyncGenerator<Buffer, void> {
  for await (const chunk of process.stdin) yield Buffer.from(chunk);
}

async function* fileChunks(path: string): AsyncGenerator<Buffer, void> {
  const file: FileHandle = await open(path, constants.O_RDONLY);
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* joined(first: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* gunzipped(bytes: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  const copies = async function* () {
    for await (const chunk of bytes) yield Buffer.from(chunk); // the stream keeps some while more are read
  };
  const unpacked = pipeline(
    Readable.from(copies(), { objectMode: false }),
    createGunzip({ chunkSize: 1 << 16 }),
    () => {},
  ); // its error comes with the next chunk
  for await (const chunk of unpacked) yield chunk as Buffer;
}

function reasonOf({ code = '' }: NodeJS.ErrnoException): Reason {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'not_found';
  if (code === 'EISDIR') return 'is_folder';
  return code.startsWith('Z_') ? 'broken_gzip' : 'unreadable';
}

const words = {
  not_found: 'there is no such file',
  is_folder: 'this is a folder: name a file in it',
  utf16: 'the file is UTF-16: write it as UTF-8',
  broken_gzip: 'the gzip file is damaged or cut',
  unreadable: 'the file cannot be read',
} as const;
type Reason = keyof typeof words;

const wrong = (path: string, reason: Reason, cause: unknown): TracemillError =>
  new TracemillError('TM_SOURCE', `${path}: ${words[reason]}`, { cause, reason });
