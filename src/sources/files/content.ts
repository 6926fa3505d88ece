import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import { createGunzip } from 'node:zlib';
import { TracemillError } from '../../core/errors.ts';
import type { Container } from '../../dialects/format.ts';
import { readJsonText } from '../../dialects/json-text.ts';
import { parquetMark, parquetRows } from './parquet.ts';

/** One value of a file, or a line of it that is not JSON. */
export type Value = (
  | { readonly value: unknown; readonly notNumbers?: number }
  | { readonly broken: string; readonly reason: 'invalid_json' | 'invalid_utf8' }
) & {
  /** Its line in the file, from 1, where it is one. */
  readonly line?: number;
};

/** A file that was opened and looked at. `values` may be iterated once; lines are read as they are asked for. */
export interface Content {
  readonly name: string;
  readonly extension: string;
  readonly container: Container;
  readonly values: AsyncIterable<Value>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const newline = 0x0a;
/** A document that is not line by line is read whole; this is what fits in one text. */
const maxBytes = 512 * 1024 * 1024;

/**
 * Open a file or the standard input (`-`), gzip or not, and find out how it is held together: one JSON value a line, a
 * JSON array, a JSON object, text, or bytes. The rows of a Parquet file come as lines do. Lines stream; the others are read
 * whole.
 *
 * @throws TM_SOURCE - `not_found`, `unreadable`, `empty_file`, `too_large`, `not_json` (a .json file that is none),
 *   `not_parquet`
 */
export async function openContent(path: string): Promise<Content> {
  const name = path === '-' ? 'stdin' : basename(path);
  const extension = extname(name.replace(/\.gz$/i, '')).toLowerCase();
  const source = path === '-' ? process.stdin : createReadStream(path);
  const lines = splitLines(unzipped(source, path));
  const head: Buffer[] = [];
  const first = await next(lines, head);
  if (!first) throw new TracemillError('TM_SOURCE', `${path}: the file is empty`, { reason: 'empty_file' });
  const here = { name, extension };
  if (path !== '-' && first.subarray(0, parquetMark.length).toString('latin1') === parquetMark) {
    await lines.return(undefined);
    return { ...here, container: 'lines', values: asValues(parquetRows(path)) };
  }
  const isDocument = !isJsonLine(first) || (await next(lines, head)) === undefined;
  if (!isDocument) return { ...here, container: 'lines', values: valuesOf(chain(head, lines)) };
  let size = 0;
  for await (const line of lines) {
    head.push(line);
    size += line.length;
    if (size > maxBytes)
      throw new TracemillError('TM_SOURCE', `${path}: more than ${maxBytes} bytes in one document`, {
        reason: 'too_large',
      });
  }
  return { ...here, ...documentOf(head, path, extension) };
}

/** Take lines into `head` up to the next one that is not blank. */
async function next(lines: AsyncGenerator<Buffer>, head: Buffer[]): Promise<Buffer | undefined> {
  for (;;) {
    const line = await lines.next();
    if (line.done) return undefined;
    head.push(line.value);
    if (!isBlank(line.value)) return line.value;
  }
}

async function* unzipped(source: AsyncIterable<Buffer | string>, path: string): AsyncGenerator<Buffer> {
  try {
    const chunks = source[Symbol.asyncIterator]();
    const first = await chunks.next();
    const start = first.done ? Buffer.alloc(0) : Buffer.from(first.value);
    const rest = async function* (): AsyncGenerator<Buffer> {
      yield start;
      for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) yield Buffer.from(chunk.value);
    };
    if (start[0] !== 0x1f || start[1] !== 0x8b) return yield* rest();
    const gunzip = createGunzip();
    const { pipeline } = await import('node:stream');
    const done = pipeline(rest(), gunzip, () => {}); // its error arrives through the iteration below
    for await (const chunk of done) yield chunk as Buffer;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'not_found' : code === 'EISDIR' ? 'is_folder' : 'unreadable';
    throw new TracemillError('TM_SOURCE', `${path}: ${reason.replace('_', ' ')}`, { cause, reason });
  }
}

/** Split after line feeds only: a JSON text may hold other line separators of Unicode. Nothing is left out. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      yield Buffer.concat([...held, chunk.subarray(from, at + 1)]);
      held = [];
      from = at + 1;
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
  }
  if (held.length > 0) yield Buffer.concat(held);
}

async function* chain(head: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* head;
  yield* rest;
}

async function* valuesOf(lines: AsyncIterable<Buffer>): AsyncGenerator<Value> {
  let n = 0;
  for await (const line of lines) {
    n++;
    if (!isBlank(line)) yield { ...valueOfLine(line), line: n };
  }
}

function valueOfLine(line: Buffer): Value {
  let text: string;
  try {
    text = utf8.decode(line);
  } catch {
    return { broken: line.toString('latin1').slice(0, 2000), reason: 'invalid_utf8' };
  }
  try {
    return readJsonText(text);
  } catch {
    return { broken: text, reason: 'invalid_json' };
  }
}

const isBlank = (line: Buffer) =>
  line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === newline);

function isJsonLine(line: Buffer): boolean {
  const value = valueOfLine(line);
  return 'value' in value && typeof value.value === 'object' && value.value !== null;
}

/** A document: JSON, else lines of which some are JSON, else text, else bytes. */
function documentOf(lines: readonly Buffer[], path: string, extension: string): Pick<Content, 'container' | 'values'> {
  const bytes = Buffer.concat(lines);
  const whole = valueOfLine(bytes);
  if ('value' in whole) {
    const isList = Array.isArray(whole.value);
    const values = isList ? (whole.value as unknown[]).map((value) => ({ value })) : [whole];
    return { container: isList ? 'array' : 'object', values: each(values) };
  }
  if (whole.reason === 'invalid_utf8' && !lines.some(isJsonLine))
    return { container: 'bytes', values: each([{ value: new Uint8Array(bytes) }]) };
  if (lines.some(isJsonLine)) return { container: 'lines', values: valuesOf(each(lines)) };
  if (bytes.includes(0)) return { container: 'bytes', values: each([{ value: new Uint8Array(bytes) }]) };
  if (/^\.(json|jsonl|ndjson|traj)$/.test(extension))
    throw new TracemillError('TM_SOURCE', `${path}: the file is not JSON`, { reason: 'not_json' });
  return { container: 'text', values: each([{ value: whole.broken }]) };
}

async function* asValues(rows: AsyncIterable<unknown>): AsyncGenerator<Value> {
  for await (const value of rows) yield { value };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
