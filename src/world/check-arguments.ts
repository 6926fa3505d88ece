import { RE2JS } from 're2js';
import { canonicalJson } from '../core/canonical-json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import {
  allowsNull,
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
import { isReferenceKey } from './names.ts';
import { isGiven } from './value.ts';

/** One argument that a strict server would not take. */
export interface Problem {
  /** `customer.address.city`, `lines[0].sku`. */
  readonly path: string;
  readonly kind: 'missing' | 'invalid';
}

/**
 * Compare arguments with their JSON Schema. Missing are required values that are absent, null (where null is no value)
 * or empty text. Invalid are wrong types, values outside an enum, a bound or a pattern, and undeclared names where
 * `additionalProperties` is false. An optional null or empty text counts as left out. A number where an id is text, and
 * the digits of one where it is a number, are the same id.
 *
 * @source house rule; JSON Schema 2020-12, without formats and conditions
 */
export function checkArguments(args: JsonObject, parameters: JsonObject): readonly Problem[] {
  return checkObject(args, resolve(schemaOf(parameters)), '');
}

function check(value: unknown, schema: Schema, path: string, key: string): readonly Problem[] {
  const branches = branchesOf(schema);
  const problems = partsOf(schema).flatMap((part) => checkPart(value, part, path, key));
  const all = branches.length === 0 ? problems : [...problems, ...closest(value, branches, path, key)];
  return all.length < 2
    ? all
    : [...new Map(all.map((problem) => [`${problem.kind} ${problem.path}`, problem])).values()];
}

/** The complaint of the alternative that fits best; none when one fits. */
function closest(value: unknown, branches: readonly Schema[], path: string, key: string): readonly Problem[] {
  const complaints = branches.map((branch) => check(value, branch, path, key));
  const deep = complaints.filter((list) => list.every((problem) => problem.path !== path)); // the type at least is right
  const best = (deep.length > 0 ? deep : complaints).reduce((a, b) => (b.length < a.length ? b : a));
  return complaints.some((list) => list.length === 0) ? [] : best;
}

function checkPart(value: unknown, schema: Schema, path: string, key: string): readonly Problem[] {
  const invalid: readonly Problem[] = [{ path, kind: 'invalid' }];
  const { at } = schema;
  if (value === null) return allowsNull(schema) || typesOf(schema).length === 0 ? [] : invalid;
  if (!hasType(value, schema, key) || !isListed(value, at, key)) return invalid;
  if (Array.isArray(value)) return checkArray(value, schema, path, key);
  if (isObject(value)) return checkObject(value, schema, path);
  return isPlain(value, at) ? [] : invalid;
}

/** Say whether a value is among those an enum or a const allows. */
function isListed(value: unknown, at: JsonObject, key: string): boolean {
  if (Array.isArray(at['enum']) && !at['enum'].some((one) => isSame(one, value, key))) return false;
  return !Object.hasOwn(at, 'const') || isSame(at['const'], value, key);
}

function isPlain(value: unknown, at: JsonObject): boolean {
  if (typeof value === 'string') return isText(value, at);
  return (typeof value !== 'number' && typeof value !== 'bigint') || isWithin(Number(value), at);
}

function checkObject(value: JsonObject, schema: Schema, path: string): readonly Problem[] {
  const properties = propertiesOf(schema);
  const child = (name: string) => (path === '' ? name : `${path}.${name}`);
  const missing = requiredOf(schema)
    .filter((name) => !isFilled(value, name, properties.get(name)))
    .map((name): Problem => ({ path: child(name), kind: 'missing' }));
  const gone = new Set(missing.map((problem) => problem.path));
  const { additionalProperties } = schema.at;
  const inside = Object.entries(value).flatMap(([name, inner]): readonly Problem[] => {
    if (gone.has(child(name))) return [];
    const property = properties.get(name);
    if (property) return isGiven(inner) ? check(inner, property, child(name), name) : [];
    if (additionalProperties === false && isGiven(inner) && !matchesPattern(name, schema))
      return [{ path: child(name), kind: 'invalid' }];
    return isObject(additionalProperties) && isGiven(inner)
      ? check(inner, within(schema, additionalProperties), child(name), name)
      : [];
  });
  return [...missing, ...inside];
}

function isFilled(value: JsonObject, name: string, property: Schema | undefined): boolean {
  const inner = Object.hasOwn(value, name) ? value[name] : undefined;
  return isGiven(inner) || (inner === null && property !== undefined && allowsNull(property));
}

function checkArray(value: readonly unknown[], schema: Schema, path: string, key: string): readonly Problem[] {
  const { items, prefixItems, minItems, maxItems } = schema.at;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? {} : items;
  const inside = value.flatMap((item, n) => check(item, within(schema, first[n] ?? rest), `${path}[${n}]`, key));
  const isCounted = value.length >= orElse(minItems, 0) && value.length <= orElse(maxItems, Number.POSITIVE_INFINITY);
  return isCounted ? inside : [{ path, kind: 'invalid' }, ...inside];
}

const orElse = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise);

function hasType(value: unknown, schema: Schema, key: string): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.some((type) => isOfType(value, type, key));
}

function isOfType(value: unknown, type: string, key: string): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' || (isReferenceKey(key) && isInteger(value));
    case 'integer':
      return isInteger(value) || (isReferenceKey(key) && typeof value === 'string' && /^\d+$/.test(value));
    case 'number':
      return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    default:
      return true; // a word of another dialect, such as `any`
  }
}

const isInteger = (value: unknown) => typeof value === 'bigint' || Number.isInteger(value);

/** Equal as JSON; an id is compared as text. */
const isSame = (one: unknown, value: unknown, key: string) =>
  canonicalJson(one) === canonicalJson(value) || (isReferenceKey(key) && String(one) === String(value));

function isText(value: string, { minLength, maxLength, pattern }: JsonObject): boolean {
  const length = [...value].length;
  if (length < orElse(minLength, 0) || length > orElse(maxLength, Number.POSITIVE_INFINITY)) return false;
  return typeof pattern !== 'string' || matches(pattern, value);
}

function isWithin(
  value: number,
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonObject,
): boolean {
  const low = exclusiveMinimum === true ? minimum : exclusiveMinimum; // draft 4 wrote a boolean
  const high = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  if (value < orElse(minimum, Number.NEGATIVE_INFINITY) || value > orElse(maximum, Number.POSITIVE_INFINITY))
    return false;
  if (value <= orElse(low, Number.NEGATIVE_INFINITY) || value >= orElse(high, Number.POSITIVE_INFINITY)) return false;
  if (typeof multipleOf !== 'number' || multipleOf <= 0) return true;
  const times = value / multipleOf;
  return Math.abs(times - Math.round(times)) < 1e-9;
}

function matchesPattern(name: string, { at }: Schema): boolean {
  const patterns = at['patternProperties'];
  return isObject(patterns) && Object.keys(patterns).some((pattern) => matches(pattern, name));
}

/** In linear time, as the pattern comes from outside. One that RE2 does not know (a look-ahead) allows anything. */
function matches(pattern: string, text: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    return true; // not a pattern that can be checked
  }
}
