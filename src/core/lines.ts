import { isUtf8 } from 'node:buffer';
import type { Feed } from './source.ts';

/** One line of a file, without its end. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly bytes: number;
  /** Bytes that are not UTF-8 show as U+FFFD. Of a line that is too long only the first 1000 bytes. */
  readonly text: string;
  readonly problem?: 'line_too_long' | 'invalid_utf8';
}

const newline = 10;
const carriageReturn = 13;
const nothing: Buffer = Buffer.alloc(0);
const headBytes = 1000;

/**
 * Split bytes at line feeds, and drop a carriage return before one; a mark of byte order at the start is skipped. Holds
 * one chunk and at most `maxLineBytes` of a line that began before it, whatever the length of the line.
 */
export function splitLines(chunks: AsyncIterator<Buffer>, maxLineBytes: number): Feed<Line> {
  let chunk = nothing;
  let at = 0;
  let isClean = true; // all lines that lie whole in this chunk are UTF-8
  let number = 0;
  const began = createBeginning(maxLineBytes);

  const line = (end: number): Line => {
    number++;
    const start = at;
    at = end + 1;
    if (began.bytes() > 0) return began.end(chunk.subarray(start, end), number);
    return lineOf(chunk, start, end, number, maxLineBytes, isClean);
  };
  /** Go on with the next chunk; true when a line ends in it. */
  const open = (bytes: Buffer): boolean => {
    chunk = bytes;
    at = number === 0 && began.bytes() === 0 && isMark(chunk) ? 3 : 0;
    const first = chunk.indexOf(newline, at);
    if (first === -1) return false;
    isClean = isUtf8(chunk.subarray(began.bytes() > 0 ? first : at, chunk.lastIndexOf(newline)));
    return true;
  };
  const more = async (): Promise<IteratorResult<Line, undefined>> => {
    for (;;) {
      began.add(chunk.subarray(at));
      const next = await chunks.next();
      const hasEnd = open(next.done ? nothing : next.value);
      if (hasEnd) return { done: false, value: line(chunk.indexOf(newline, at)) };
      if (next.done) return began.bytes() > 0 ? { done: false, value: line(0) } : { done: true, value: undefined };
    }
  };
  return {
    next() {
      const end = chunk.indexOf(newline, at);
      return end === -1 ? more() : { done: false, value: line(end) };
    },
    return: () => chunks.return?.(),
  };
}

const isMark = (chunk: Buffer): boolean => chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;

function lineOf(
  chunk: Buffer,
  start: number,
  end: number,
  number: number,
  maxLineBytes: number,
  isClean: boolean,
): Line {
  const stop = end > start && chunk[end - 1] === carriageReturn ? end - 1 : end;
  const bytes = stop - start;
  if (bytes > maxLineBytes)
    return { number, bytes, text: chunk.toString('utf8', start, start + headBytes), problem: 'line_too_long' };
  const text = chunk.toString('utf8', start, stop);
  if (isClean || isUtf8(chunk.subarray(start, stop))) return { number, bytes, text };
  return { number, bytes, text, problem: 'invalid_utf8' };
}

/** The beginning of a line whose end is in a later chunk. What is more than a line may have is counted and not kept. */
function createBeginning(maxLineBytes: number) {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer): void => {
    if (part.length === 0) return;
    if (bytes <= maxLineBytes + 1)
      parts.push(Buffer.from(part)); // a copy: the chunk is used again
    else parts.length = 1;
    bytes += part.length;
  };
  return {
    bytes: () => bytes,
    add,
    end(last: Buffer, number: number): Line {
      add(last);
      const whole = bytes > maxLineBytes + 1 ? (parts[0] ?? last) : Buffer.concat(parts);
      const all = bytes;
      parts = [];
      bytes = 0;
      if (whole.length === all) return lineOf(whole, 0, all, number, maxLineBytes, false);
      return { number, bytes: all, text: whole.toString('utf8', 0, headBytes), problem: 'line_too_long' };
    },
  };
}
