import { parseJson } from '../../core/json.ts';
import { fences } from './fences.ts';

/** A JSON value found in a text: null is a value, so it says apart whether one was found. */
export type FoundJson = { readonly found: true; readonly value: unknown } | { readonly found: false };
const nothing: FoundJson = { found: false };
const maxDepth = 500;

/**
 * Find the JSON of a reply: a fenced block (those tagged json first), else the whole text, else the first balanced object
 * or array that parses. Strict JSON, at most 500 deep. Linear in the text.
 *
 * @source house rule
 */
export function findJson(text: string): FoundJson {
  const blocks = fences(text);
  const tagged = blocks.filter(({ tag }) => tag === 'json');
  const bodies = [...tagged, ...blocks.filter(({ tag }) => tag !== 'json')].map(({ body }) => body);
  for (const body of [...bodies, text]) {
    const read = strictJson(body);
    if (read.found) return read;
  }
  return firstBlock(text);
}

/** The JSON value of a reply, null when there is none (or when it is null). */
export function extractJson(text: string): unknown {
  const read = findJson(text);
  return read.found ? read.value : null;
}

function strictJson(text: string): FoundJson {
  const body = text.trim();
  if (body === '' || depthOf(body) > maxDepth) return nothing;
  try {
    JSON.parse(body); // `parseJson` also reads NaN, as Python writes it
    return { found: true, value: parseJson(body) };
  } catch {
    return nothing; // not JSON
  }
}

/** Each start looks for its end; a block that does not parse is skipped whole, and starts without an end cost a budget. */
function firstBlock(text: string): FoundJson {
  let budget = text.length * 8 + 1000;
  for (let at = 0; at < text.length && budget > 0; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    const end = blockEnd(text, at);
    budget -= Math.abs(end) - at;
    if (end < 0) continue;
    const read = strictJson(text.slice(at, end));
    if (read.found) return read;
    at = end - 1;
  }
  return nothing;
}

/** Where the block that starts here ends; negative, the place where it was given up, when it never does. */
function blockEnd(text: string, start: number): number {
  const open: string[] = [];
  for (let at = start; at < text.length; at++) {
    const mark = text[at];
    if (mark === '"') at = stringEnd(text, at);
    else if (mark === '{' || mark === '[') open.push(mark === '{' ? '}' : ']');
    else if ((mark === '}' || mark === ']') && open.pop() !== mark) return -at;
    if (open.length === 0) return at + 1;
  }
  return -text.length;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === '"') at = stringEnd(text, at);
    else if (mark === '{' || mark === '[') most = Math.max(most, ++depth);
    else if (mark === '}' || mark === ']') depth--;
  }
  return most;
}
