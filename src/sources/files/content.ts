import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import { createGunzip } from 'node:zlib';
import { TracemillError } from '../../core/errors.ts';
import { type Bounds, fileBounds } from '../../dialects/bounds.ts';
import type { Container } from '../../dialects/format.ts';
import { readJsonText } from '../../dialects/json-text.ts';
import { isBlank, type Line, linesIn, Pieces, splitLines } from './lines.ts';
import { parquetMark, parquetRows } from './parquet.ts';

/** One value of a file, or a line of it that cannot be read. */
export type Value = (
  | { readonly value: unknown; readonly notNumbers?: number }
  | { readonly broken: string; readonly reason: string }
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
/**
 * Open a file or the standard input (`-`), gzip or not, and find out how it is held together: one JSON value a line, a
 * JSON array, a JSON object, text, or bytes. The rows of a Parquet file come as lines do. Lines stream; the others are read
 * whole. A line that has more bytes than it may is one broken value (`too_large`).
 *
 * @throws TM_SOURCE - `not_found`, `unreadable`, `empty_file`, `too_large` (a document), `invalid_utf8` (a file in UTF-16),
 *   `not_json` (a .json file that is none), `not_parquet`
 */
export async function openContent(path: string, bounds: Bounds = fileBounds): Promise<Content> {
  const name = path === '-' ? 'stdin' : basename(path);
  const extension = extname(name.replace(/\.gz$/i, '')).toLowerCase();
  const source = path === '-' ? process.stdin : createReadStream(path);
  const bound = { max: bounds.document };
  const lines = splitLines(unzipped(source, path), bound);
  const raw = new Pieces();
  const add = async ({ bytes, number }: Line): Promise<void> => {
    raw.add(bytes ?? Buffer.alloc(0));
    if (bytes && raw.size <= bounds.document) return;
    await lines.return(undefined);
    const message = `${path}: line ${number}: more than ${bounds.document} bytes in one document`;
    throw new TracemillError('TM_SOURCE', message, { reason: 'too_large' });
  };
  const first = await next(lines, add);
  if (!first) throw new TracemillError('TM_SOURCE', `${path}: the file is empty`, { reason: 'empty_file' });
  const here = { name, extension };
  if (path !== '-' && first.bytes?.subarray(0, parquetMark.length).toString('latin1') === parquetMark) {
    await lines.return(undefined);
    return { ...here, container: 'lines', values: asValues(parquetRows(path)) };
  }
  if (first.bytes && isUtf16(first.bytes)) {
    await lines.return(undefined);
    throw new TracemillError('TM_SOURCE', `${path}: the file is in UTF-16; it must be in UTF-8`, {
      reason: 'invalid_utf8',
    });
  }
  const second = first.bytes === undefined || isJsonLine(first.bytes) ? await next(lines, add) : undefined;
  if (second || first.bytes === undefined) {
    bound.max = bounds.line;
    return {
      ...here,
      container: 'lines',
      values: valuesOf(chain(second ? [first, second] : [first], lines), path, bounds),
    };
  }
  for await (const line of lines) await add(line);
  return { ...here, ...documentOf(raw.all(), path, extension, bounds) };
}

/** The next line that is not blank. Those that are held are added; one that is too large is none of a document. */
async function next(lines: AsyncGenerator<Line>, add: (line: Line) => Promise<void>): Promise<Line | undefined> {
  for (;;) {
    const line = await lines.next();
    if (line.done) return undefined;
    const { bytes } = line.value;
    if (bytes === undefined) return line.value;
    await add(line.value);
    if (!isBlank(bytes)) return line.value;
  }
}

const isUtf16 = ([a, b]: Buffer) => (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);

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

async function* chain(head: readonly Line[], rest: AsyncIterable<Line>): AsyncGenerator<Line> {
  yield* head;
  yield* rest;
}

async function* valuesOf(lines: AsyncIterable<Line>, path: string, bounds: Bounds): AsyncGenerator<Value> {
  for await (const { bytes, number, max } of lines) {
    if (bytes && isBlank(bytes)) continue;
    if (bytes && bytes.length <= bounds.line) yield { ...valueOfLine(bytes), line: number };
    else
      yield {
        broken: `${path}: line ${number} has more than ${bytes ? bounds.line : max} bytes`,
        reason: 'too_large',
        line: number,
      };
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

function isJsonLine(line: Buffer): boolean {
  const value = valueOfLine(line);
  return 'value' in value && typeof value.value === 'object' && value.value !== null;
}

/** A document: JSON, else lines of which some are JSON, else text, else bytes. */
function documentOf(
  bytes: Buffer,
  path: string,
  extension: string,
  bounds: Bounds,
): Pick<Content, 'container' | 'values'> {
  const whole = valueOfLine(bytes);
  if ('value' in whole) {
    const isList = Array.isArray(whole.value);
    const values = isList ? (whole.value as unknown[]).map((value) => ({ value })) : [whole];
    return { container: isList ? 'array' : 'object', values: each(values) };
  }
  const isLines = hasJsonLine(bytes);
  if (whole.reason === 'invalid_utf8' && !isLines)
    return { container: 'bytes', values: each([{ value: new Uint8Array(bytes) }]) };
  if (isLines) return { container: 'lines', values: valuesOf(each(linesIn(bytes)), path, bounds) };
  if (bytes.includes(0)) return { container: 'bytes', values: each([{ value: new Uint8Array(bytes) }]) };
  if (/^\.(json|jsonl|ndjson|traj)$/.test(extension))
    throw new TracemillError('TM_SOURCE', `${path}: the file is not JSON`, { reason: 'not_json' });
  return { container: 'text', values: each([{ value: whole.broken }]) };
}

function hasJsonLine(bytes: Buffer): boolean {
  for (const line of linesIn(bytes)) if (line.bytes && isJsonLine(line.bytes)) return true;
  return false;
}

async function* asValues(rows: AsyncIterable<unknown>): AsyncGenerator<Value> {
  for await (const value of rows) yield { value };
}

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
