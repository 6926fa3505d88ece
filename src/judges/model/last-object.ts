import { parseJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';

const maxText = 50_000; // characters, from the end: a verdict comes last

/**
 * Find the last JSON object of a judge's reply. Fences, comments, trailing commas, raw newlines in a text and braces inside
 * one do no harm; nothing else is repaired. Undefined when there is none, or when the last one that was begun is cut or
 * cannot be read: what was said before it is a draft. One pass, linear in the reply.
 *
 * @source house rule
 */
export function lastObject(reply: string): JsonObject | undefined {
  const text = reply.slice(-maxText);
  const { block, isCut } = lastBlock(text);
  return block === undefined || isCut ? undefined : read(cleaned(text.slice(...block)));
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

interface Open {
  readonly start: number;
  /** It stands where a value does in JSON: after a key, or in a list. */
  readonly isValue: boolean;
  /** A key or nothing follows the brace, as in JSON; undefined before that is known. */
  isJson?: boolean;
}

/** The outermost of the last balanced braces that begin as JSON does, and whether one is cut that holds or follows them. */
function lastBlock(text: string): { readonly block: [number, number] | undefined; readonly isCut: boolean } {
  const open: Open[] = [];
  let block: [number, number] | undefined;
  let isPart = false;
  let before = ''; // the two marks before this one
  for (const { start, end, mark } of piecesOf(text, () => open.length > 0)) {
    const top = open.at(-1);
    if (top && mark !== '') top.isJson ??= mark === '"' || mark === '}';
    if (mark === '{') open.push({ start, isValue: /[[,]$|":$/.test(before) });
    if (mark === '}' && open.pop()?.isJson) {
      block = [top?.start ?? start, end];
      isPart = isPartOf(top, open.at(-1));
    }
    if (mark !== '') before = `${before.at(-1) ?? ''}${mark}`;
  }
  return { block, isCut: isPart || open.some(({ start, isJson }) => isJson && start > (block?.[0] ?? -1)) };
}

const isPartOf = (inner?: Open, outer?: Open) => inner?.isValue === true && outer?.isJson === true;

const rawMarks: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A block without comments and trailing commas, raw line ends in its texts escaped. */
function cleaned(block: string): string {
  const clean: string[] = [];
  let comma = -1; // place of the comma that nothing has followed yet
  for (const { start, end, mark } of piecesOf(block, () => true)) {
    if ((mark === '}' || mark === ']') && comma >= 0) clean[comma] = '';
    if (mark !== '') comma = mark === ',' ? clean.length : -1;
    clean.push(block[start] === '/' ? '' : block.slice(start, end).replace(/[\n\r\t]/g, (raw) => said(raw, mark)));
  }
  return clean.join('');
}

const said = (raw: string, mark: string): string => (mark === '"' ? (rawMarks[raw] ?? raw) : raw);

interface Piece {
  readonly start: number;
  readonly end: number;
  /** Its first character; empty for blanks and comments. */
  readonly mark: string;
}

/** The texts, comments and other characters in their order. Outside braces there is only prose, without texts and comments. */
function* piecesOf(text: string, isInside: () => boolean): Generator<Piece> {
  const lastClose = text.lastIndexOf('*/'); // looked for once: each of many comments that never end would read it all
  for (let at = 0; at < text.length; ) {
    const mark = text[at] ?? '';
    const end = isInside() ? pieceEnd(text, at, lastClose) : at + 1;
    yield { start: at, end, mark: isBlank(mark) || (mark === '/' && end > at + 1) ? '' : mark };
    at = end;
  }
}

const isBlank = (mark: string) => mark === ' ' || mark === '\n' || mark === '\r' || mark === '\t';

function pieceEnd(text: string, at: number, lastClose: number): number {
  if (text[at] === '"') return textEnd(text, at) ?? at + 1;
  if (text[at] === '\\') return at + 2; // what it escapes begins no text
  if (text[at] !== '/' || text[at - 1] === ':') return at + 1; // after a colon it belongs to an address
  if (text[at + 1] === '/') return lineEnd(text, at);
  return text[at + 1] === '*' && at + 2 <= lastClose ? text.indexOf('*/', at + 2) + 2 : at + 1;
}

/** Where a text ends; undefined when its second quote is not followed as in JSON, so that the first stands in prose. */
function textEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') {
      let next = at + 1;
      while (isBlank(text[next] ?? '')) next++;
      return ':,}]/'.includes(text[next] ?? 'none') ? at + 1 : undefined;
    }
  }
  return undefined;
}

function lineEnd(text: string, at: number): number {
  const line = text.indexOf('\n', at);
  return line < 0 ? text.length : line;
}
