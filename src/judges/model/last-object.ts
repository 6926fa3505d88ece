import { parseJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';

const maxText = 50_000; // characters, from the end: a verdict comes last
const maxStarts = 300;

/**
 * Find the last complete JSON object of a judge's reply. Fences, comments, trailing commas, raw newlines in a text and
 * braces inside one do no harm; nothing else is repaired. Undefined when there is none.
 *
 * @source house rule
 */
export function lastObject(reply: string): JsonObject | undefined {
  const text = reply.length > maxText ? reply.slice(-maxText) : reply;
  let found: JsonObject | undefined;
  let starts = 0;
  for (let at = text.indexOf('{'); at >= 0 && starts < maxStarts; starts++) {
    const block = blockAt(text, at);
    const value = block && read(block.clean);
    if (value) found = value;
    at = text.indexOf('{', value && block ? block.end : at + 1);
  }
  return found;
}

function read(clean: string): JsonObject | undefined {
  try {
    JSON.parse(clean); // strict: `parseJson` also reads NaN
    const value = parseJson(clean);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // looked like an object and is none
  }
}

const rawMarks: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Copy the block that starts here, without comments and trailing commas, raw line ends in texts escaped. */
function blockAt(text: string, start: number): { readonly clean: string; readonly end: number } | undefined {
  const clean: string[] = [];
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const piece = pieceAt(text, at);
    if (!piece) return undefined;
    if (/[{[]/.test(piece.text[0] ?? '')) depth++;
    if (/[}\]]/.test(piece.text[0] ?? '')) {
      depth--;
      const last = clean.findLastIndex((one) => one.trim() !== '');
      if (clean[last] === ',') clean.length = last;
    }
    clean.push(piece.text);
    at = piece.end;
    if (depth === 0) return { clean: clean.join(''), end: at };
  }
  return undefined;
}

/** A whole text, nothing for a comment, else one character; undefined when a text never ends. */
function pieceAt(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const mark = text[at] ?? '';
  if (mark === '"') {
    const end = stringEnd(text, at);
    if (end < 0) return undefined;
    return { text: text.slice(at, end + 1).replace(/[\n\r\t]/g, (raw) => rawMarks[raw] ?? raw), end: end + 1 };
  }
  const comment = mark === '/' ? commentEnd(text, at) : -1;
  return comment > at ? { text: '', end: comment + 1 } : { text: mark, end: at + 1 };
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

/** The last character of the comment that starts here; -1 when none does. */
function commentEnd(text: string, at: number): number {
  if (text[at + 1] === '/') {
    const line = text.indexOf('\n', at);
    return line < 0 ? text.length : line - 1;
  }
  if (text[at + 1] !== '*') return -1;
  const close = text.indexOf('*/', at + 2);
  return close < 0 ? -1 : close + 1;
}
