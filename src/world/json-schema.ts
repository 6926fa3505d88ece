import { isObject, type JsonObject } from '../core/json-object.ts';

/** References followed in a row before a schema is taken for "anything": a ring of references ends here. */
const maxHops = 32;
/** Alternatives and parts opened inside each other at one value; a schema that holds itself would never end. */
const maxNesting = 6;

/** A schema and the document its `#/...` references point into. */
export interface Schema {
  readonly at: JsonObject;
  readonly root: JsonObject;
  /** How many alternatives or parts deep this is, at the same value. */
  readonly nesting?: number;
}

export const schemaOf = (root: JsonObject): Schema => ({ at: root, root });

/** Go to a part of a schema; what is no object (`true`, a typo) allows anything. */
export function within({ root }: Schema, part: unknown): Schema {
  return resolve({ at: isObject(part) ? part : {}, root });
}

/**
 * Follow the local references of a schema (`$ref` into `$defs`, `definitions` or any path, `#` for the whole). What
 * cannot be found allows anything, as a tool list may be cut from a larger document.
 */
export function resolve(schema: Schema): Schema {
  let { at } = schema;
  const { root } = schema;
  for (let hop = 0; typeof at['$ref'] === 'string'; hop++) {
    const target = hop < maxHops ? find(root, at['$ref']) : undefined;
    const { $ref: _, ...beside } = at;
    at = { ...target, ...beside };
    if (!target) break;
  }
  return { at, root };
}

function find(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~');
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isObject(at) ? at : undefined;
}

/** The types a schema allows; none listed means any. Names of other dialects (`dict`, `float`) are read as JSON's. */
export function typesOf({ at }: Schema): readonly string[] {
  const listed = at['type'];
  const types = (Array.isArray(listed) ? listed : [listed]).filter((type) => typeof type === 'string');
  const read = types.map((type) => otherNames[type.toLowerCase()] ?? type.toLowerCase());
  return at['nullable'] === true && read.length > 0 ? [...read, 'null'] : read;
}

const otherNames: Readonly<Record<string, string>> = {
  dict: 'object',
  map: 'object',
  list: 'array',
  tuple: 'array',
  float: 'number',
  double: 'number',
  int: 'integer',
  bool: 'boolean',
  str: 'string',
};

/** The alternatives of `anyOf` or `oneOf`; none when the schema has neither. */
export function branchesOf(schema: Schema): readonly Schema[] {
  return nested(schema, schema.at['anyOf'] ?? schema.at['oneOf']);
}

/** The schemas that hold together: the schema itself and each of its `allOf`. */
export function partsOf(schema: Schema): readonly Schema[] {
  return [schema, ...nested(schema, schema.at['allOf']).flatMap(partsOf)];
}

function nested(schema: Schema, parts: unknown): readonly Schema[] {
  const nesting = (schema.nesting ?? 0) + 1;
  if (!Array.isArray(parts) || nesting > maxNesting) return [];
  return parts.map((part) => ({ ...within(schema, part), nesting }));
}

/** The properties of an object schema, those of its `allOf` parts too, by name. */
export function propertiesOf(schema: Schema): ReadonlyMap<string, Schema> {
  const all = new Map<string, Schema>();
  for (const part of partsOf(schema)) {
    const properties = part.at['properties'];
    if (isObject(properties)) for (const [key, inner] of Object.entries(properties)) all.set(key, within(part, inner));
  }
  return all;
}

/** The names an object must have: `required`, and draft 3's `required: true` on a property. */
export function requiredOf(schema: Schema): readonly string[] {
  const names = partsOf(schema).flatMap((part) => {
    const { required } = part.at;
    return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  });
  for (const [name, property] of propertiesOf(schema)) if (property.at['required'] === true) names.push(name);
  return [...new Set(names)];
}

/** Say whether null is a value here. */
export function allowsNull(schema: Schema): boolean {
  if (typesOf(schema).includes('null')) return true;
  const { at } = schema;
  if (Array.isArray(at['enum'])) return at['enum'].includes(null);
  return branchesOf(schema).some(allowsNull);
}
