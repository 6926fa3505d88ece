import { isObject, type JsonObject } from '../core/json-object.ts';

/** Null and empty text are no value; 0, false, [] and {} are. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The fields of an object that carry a value. */
export const given = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));

/** An object without some of its keys. */
export const without = (fields: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

/** A value inside arguments that is no container. */
export interface Leaf {
  /** `a.b`, `a[0].b`. */
  readonly path: string;
  /** The nearest name above it. */
  readonly key: string;
  readonly value: unknown;
  /** Names on the way to it; a top-level argument has one. */
  readonly depth: number;
}

/** Walk the values of a JSON value that are no containers, in the order they stand in. */
export function* leavesOf(value: unknown, at: Omit<Leaf, 'value'> = top): Generator<Leaf> {
  if (Array.isArray(value))
    for (const [n, item] of value.entries()) yield* leavesOf(item, { ...at, path: `${at.path}[${n}]` });
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value))
      yield* leavesOf(inner, { ...at, path: at.path === '' ? key : `${at.path}.${key}`, key, depth: at.depth + 1 });
  else yield { ...at, value };
}

const top = { path: '', key: '', depth: 0 } as const;
