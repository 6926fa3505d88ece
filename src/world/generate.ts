import { draws } from '../core/draws.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import {
  branchesOf,
  partsOf,
  propertiesOf,
  requiredOf,
  resolve,
  type Schema,
  schemaOf,
  typesOf,
  within,
} from './json-schema.ts';
import { isReferenceKey, nameWords } from './names.ts';
import { between, dayOf, personOf, pick } from './record.ts';

/** Below this depth only what is required is made, so that a schema that holds itself ends. */
const optionalDepth = 2;
const maxDepth = 8;

export interface Generating {
  /** Seed, tool, entity: what the values are drawn from. */
  readonly parts: readonly unknown[];
  /** Values to use where a property has this name and the value fits its type. */
  readonly known?: JsonObject;
  /** Leave optional properties out: the smallest call that is accepted. */
  readonly requiredOnly?: boolean;
}

/**
 * Make a value that a JSON Schema accepts: references are followed, null is taken only where nothing else is allowed,
 * recursion ends. Patterns and conditions are not solved.
 *
 * @source house rule; JSON Schema 2020-12
 */
export function generateValue(schema: JsonObject, options: Generating): unknown {
  return generate(
    resolve(schemaOf(schema)),
    '',
    0,
    { known: {}, requiredOnly: false, ...options },
    draws(...options.parts).next,
  );
}

function generate(schema: Schema, key: string, depth: number, how: Required<Generating>, next: () => number): unknown {
  const { at } = schema;
  if (Object.hasOwn(at, 'const')) return at['const'];
  if (Array.isArray(at['enum']) && at['enum'].length > 0) return pick(choices(at['enum']), next());
  const branches = branchesOf(schema).filter((branch) => !onlyNull(branch));
  const branch = branches[0];
  if (branch && typesOf(schema).length === 0) {
    const shallow = depth >= optionalDepth ? branches.reduce((a, b) => (weight(b) < weight(a) ? b : a)) : branch;
    return generate(shallow, key, depth + 1, how, next);
  }
  switch (typeIn(schema)) {
    case 'object':
      return generateObject(schema, depth, how, next);
    case 'array':
      return generateArray(schema, key, depth, how, next);
    case 'integer':
      return generateNumber(at, true, next());
    case 'number':
      return generateNumber(at, false, next());
    case 'boolean':
      return next() < 0.5;
    case 'null':
      return null;
    default:
      return generateText(at, key, next);
  }
}

const choices = (list: readonly unknown[]) => {
  const some = list.filter((one) => one !== null && one !== '');
  return some.length > 0 ? some : list;
};
const onlyNull = (schema: Schema) => typesOf(schema).length === 1 && typesOf(schema)[0] === 'null';
/** How much an alternative would have to hold: the leaf of a recursive schema weighs least. */
const weight = (schema: Schema) => requiredOf(schema).length + (typeIn(schema) === 'array' ? 1 : 0);

function typeIn(schema: Schema): string {
  const types = partsOf(schema)
    .flatMap(typesOf)
    .filter((type) => type !== 'null');
  if (types[0] !== undefined) return types[0];
  if (partsOf(schema).flatMap(typesOf).includes('null')) return 'null';
  if (propertiesOf(schema).size > 0) return 'object';
  return schema.at['items'] === undefined ? 'string' : 'array';
}

function generateObject(schema: Schema, depth: number, how: Required<Generating>, next: () => number): JsonObject {
  const required = requiredOf(schema);
  const properties = propertiesOf(schema);
  const optional = how.requiredOnly || depth >= optionalDepth ? [] : [...properties.keys()];
  const names = depth > maxDepth ? [] : [...new Set([...required, ...optional])];
  return Object.fromEntries(
    names.map((name) => {
      const property = properties.get(name) ?? within(schema, {});
      const known = depth === 0 && Object.hasOwn(how.known, name) ? how.known[name] : undefined;
      return [
        name,
        known !== undefined && fits(known, property) ? known : generate(property, name, depth + 1, how, next),
      ];
    }),
  );
}

function fits(value: unknown, schema: Schema): boolean {
  const { enum: listed } = schema.at;
  if (Array.isArray(listed)) return listed.includes(value);
  const types = typesOf(schema);
  const type = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value;
  return types.length === 0 || types.includes(type) || (types.includes('integer') && Number.isInteger(value));
}

function generateArray(schema: Schema, key: string, depth: number, how: Required<Generating>, next: () => number) {
  const { items, prefixItems, minItems, maxItems } = schema.at;
  const least = typeof minItems === 'number' ? minItems : depth >= optionalDepth ? 0 : 1;
  const most = typeof maxItems === 'number' ? maxItems : least + (how.requiredOnly || depth >= optionalDepth ? 0 : 2);
  if (Array.isArray(prefixItems))
    return prefixItems.map((item) => generate(within(schema, item), key, depth + 1, how, next));
  const length = Math.min(between(least, Math.max(least, most), next()), 20);
  return Array.from({ length }, () => generate(within(schema, items), key, depth + 1, how, next));
}

function generateNumber(at: JsonObject, isWhole: boolean, number: number): number {
  const step = typeof at['multipleOf'] === 'number' && at['multipleOf'] > 0 ? at['multipleOf'] : isWhole ? 1 : 0.01;
  const low = bound(at['minimum'], at['exclusiveMinimum'], step);
  const high = bound(at['maximum'], at['exclusiveMaximum'], -step);
  const from = low ?? (high === undefined ? 1 : Math.min(0, high - 100 * step));
  const to = high ?? from + (isWhole ? 100 * step : 10_000 * step);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.max(first, Math.floor(to / step + 1e-9));
  const value = between(first, Math.min(last, first + 10_000), number) * step;
  return isWhole ? Math.round(value) : Number(value.toFixed(10));
}

function bound(inclusive: unknown, exclusive: unknown, step: number): number | undefined {
  if (typeof exclusive === 'number') return exclusive + step;
  return typeof inclusive === 'number' ? inclusive + (exclusive === true ? step : 0) : undefined;
}

function generateText(at: JsonObject, key: string, next: () => number): string {
  const text = plainText(at, key, next);
  const least = typeof at['minLength'] === 'number' ? at['minLength'] : 0;
  const most = typeof at['maxLength'] === 'number' ? at['maxLength'] : Number.POSITIVE_INFINITY;
  return text.padEnd(Math.min(least, 10_000), 'a').slice(0, Math.max(most, 0));
}

function plainText(at: JsonObject, key: string, next: () => number): string {
  const words = nameWords(key);
  const format = typeof at['format'] === 'string' ? at['format'] : words.findLast((word) => Object.hasOwn(texts, word));
  const make = format !== undefined && Object.hasOwn(texts, format) ? texts[format] : undefined;
  if (make) return make(next, words);
  if (isReferenceKey(key)) return `${(words[0] ?? 'x').slice(0, 1).toUpperCase()}-${between(100, 9999, next())}`;
  return `${pick(['early', 'open', 'recent', 'northern'], next())} ${words.at(-1) ?? 'note'} ${between(2, 99, next())}`;
}

type MakeText = (next: () => number, words: readonly string[]) => string;
const day: MakeText = (next) => dayOf(next());
const person: MakeText = (next) => personOf(next());
const place: MakeText = (next) => pick(['Oslo', 'Porto', 'Ghent', 'Turin'], next());
const sum: MakeText = (next) => `${between(2, 99, next())} * ${between(2, 99, next())}`;
const file: MakeText = (_next, words) => `src/${words[0] ?? 'main'}.ts`;
const link: MakeText = (next) => `https://files.net/${between(100, 999, next())}`;
/** Texts by the format of a schema, else by the last telling word of the property's name. */
const texts: Readonly<Record<string, MakeText>> = {
  'date-time': (next) => `${dayOf(next())}T09:00:00Z`,
  uuid: (next) => `00000000-0000-4000-8000-${String(between(1, 999_999_999, next())).padStart(12, '0')}`,
  email: (next) => `${personOf(next()).toLowerCase().replace(/ /g, '.')}@post.net`,
  uri: link,
  url: link,
  date: day,
  day,
  check: day,
  departure: day,
  arrival: day,
  path: file,
  file,
  filename: file,
  name: person,
  owner: person,
  person,
  city: place,
  location: place,
  destination: place,
  origin: place,
  expression: sum,
  formula: sum,
  expr: sum,
};
