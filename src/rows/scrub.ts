import { canonicalJson } from '../core/canonical-json.ts';
import { parseJson, stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';

/**
 * Where in a row a value stands decides what a key there may mean. `row`: the row's own fields. `talk`: what tools
 * answered and what was said. `call`: what a tool was called with. `schema`: what a tool may be called with.
 */
type Place = 'row' | 'talk' | 'call' | 'schema';

/** Never data of a tool, whatever it is called with. */
const answerBlocks: ReadonlySet<string> = new Set(['privileged', 'hidden_state']);
/** Answers when they are fields of a row; ordinary words in the mouth of a tool (an invoice reference). */
const answerWords: ReadonlySet<string> = new Set(['principle', 'reference', 'rubric']);
const stepLists: ReadonlySet<string> = new Set(['steps', 'tool_trace', 'trace']);
const messageLists: ReadonlySet<string> = new Set(['messages', 'chosen', 'rejected', 'completion', 'prompt']);
const argumentKeys: ReadonlySet<string> = new Set(['arguments', 'input', 'args', 'parameters']);
const resultKeys: ReadonlySet<string> = new Set(['result', 'output', 'response']);
/** What was said: JSON in it is somebody's message, not a field of the row. */
const spoken: ReadonlySet<string> = new Set(['prompt', 'opener', 'final_text', 'user', 'text']);
/** Keys whose object holds names that somebody chose. */
const nameTables: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties']);
const mayHide = /privileged|hidden_state|vector|principle|reference|rubric|\\u/;

/**
 * Take out of a row what must never leave: answer keys and vectors, at any depth, in JSON text too. A tool argument, a
 * tool result or a message that merely uses such a word keeps it, unless it repeats the row's own answer key. Parts in
 * which nothing was found come back as they are, not copied.
 *
 * @source house rule
 */
export function scrub<T extends JsonObject>(row: T): T {
  const { privileged } = row;
  const block = isObject(privileged) ? privileged : {};
  const own = new Set(
    [...answerWords].filter((word) => isThere(block[word])).map((word) => canonicalJson(block[word])),
  );
  return scrubRow(row, own) as T; // only optional fields are taken out
}

function scrubRow(row: JsonObject, own: ReadonlySet<string>): JsonObject {
  return mapFields(row, 'row', own, (key, value) => {
    if (stepLists.has(key) && Array.isArray(value)) return mapItems(value, (step) => scrubStep(step, own));
    if (messageLists.has(key) && Array.isArray(value)) return mapItems(value, (message) => scrubTurn(message, own));
    if ((key === 'chosen' || key === 'rejected') && isObject(value)) return scrub(value); // a side of a pair is a row
    return walk(value, key === 'tools' ? 'schema' : spoken.has(key) ? 'talk' : 'row', own);
  });
}

function scrubStep(step: unknown, own: ReadonlySet<string>): unknown {
  if (!isObject(step)) return walk(step, 'talk', own);
  return mapFields(step, 'row', own, (key, value) =>
    walk(value, argumentKeys.has(key) ? 'call' : resultKeys.has(key) || spoken.has(key) ? 'talk' : 'row', own),
  );
}

/** A message, or a call or block within it. */
function scrubTurn(turn: unknown, own: ReadonlySet<string>): unknown {
  if (Array.isArray(turn)) return mapItems(turn, (item) => scrubTurn(item, own));
  if (!isObject(turn)) return walk(turn, 'talk', own);
  const isCall = 'name' in turn || 'toolName' in turn;
  return mapFields(turn, 'talk', own, (key, value) =>
    isCall && argumentKeys.has(key) ? walk(value, 'call', own) : scrubTurn(value, own),
  );
}

function walk(value: unknown, place: Place, own: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return scrubText(value, place, own);
  if (Array.isArray(value)) return mapItems(value, (item) => walk(item, place, own));
  if (!isObject(value)) return value;
  return mapFields(value, place, own, (key, inner) =>
    place === 'schema' && nameTables.has(key) && isObject(inner)
      ? mapValues(inner, (one) => walk(one, place, own))
      : walk(inner, place, own),
  );
}

/** Text that is JSON is data: it is searched like data, and written anew, compactly, when something was taken out. */
function scrubText(text: string, place: Place, own: ReadonlySet<string>): string {
  if (!/^\s*[{[]/.test(text) || !mayHide.test(text)) return text;
  let data: unknown;
  try {
    data = parseJson(text);
  } catch {
    return text; // words that begin like JSON
  }
  const clean = place === 'talk' ? scrubTurn(data, own) : walk(data, place, own);
  return clean === data ? text : stringifyJson(clean);
}

function isHidden(key: string, value: unknown, place: Place, own: ReadonlySet<string>): boolean {
  if (answerBlocks.has(key)) return place !== 'call' || isObject(value);
  if (key === 'vector') return place !== 'call' && Array.isArray(value);
  if (!answerWords.has(key)) return false;
  return place === 'row' || own.has(canonicalJson(value));
}

function mapFields(
  value: JsonObject,
  place: Place,
  own: ReadonlySet<string>,
  clean: (key: string, inner: unknown) => unknown,
): JsonObject {
  const kept = Object.entries(value).filter(([key, inner]) => !isHidden(key, inner, place, own));
  let changed = kept.length < Object.keys(value).length;
  const fields = kept.map(([key, inner]): [string, unknown] => {
    const next = clean(key, inner);
    if (next !== inner) changed = true;
    return [key, next];
  });
  return changed ? Object.fromEntries(fields) : value;
}

function mapValues(value: JsonObject, clean: (inner: unknown) => unknown): JsonObject {
  const fields = Object.entries(value).map(([key, inner]): [string, unknown] => [key, clean(inner)]);
  return fields.some(([key, inner]) => inner !== value[key]) ? Object.fromEntries(fields) : value;
}

function mapItems(items: readonly unknown[], clean: (item: unknown) => unknown): readonly unknown[] {
  const next = items.map(clean);
  return next.some((item, n) => item !== items[n]) ? next : items;
}

const isThere = (value: unknown) => value !== undefined && value !== null;
