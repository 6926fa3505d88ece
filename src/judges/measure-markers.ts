import { isObject } from '../core/json-object.ts';
import type { Row } from '../rows/row.ts';
import { rowCopy } from './row-copy.ts';

/** Measures one behaviour of a row: 1 is good, 0 is bad; true and false are 1 and 0; null when there is nothing to measure. */
export type MarkerFunction = (row: Row, signal: AbortSignal) => unknown;
/** Marker functions by the names that rows carry. */
export type MarkerFunctions = Readonly<Record<string, MarkerFunction>>;

/**
 * Measure the markers of a row on a copy of it without `privileged`, and merge them over those it has. A marker that throws
 * or is no finite number is told to `failed` and left out: absent is not measured, and never 0. Answers at once when every
 * function does.
 */
export function measureMarkers<T extends Row>(
  row: T,
  functions: MarkerFunctions,
  signal: AbortSignal,
  failed: (name: string, error: unknown) => void,
): T | Promise<T> {
  const names = Object.keys(functions);
  const values = names.map((name) => attempt(() => functions[name]?.(rowCopy(row, false), signal)));
  const merge = (found: readonly Measured[]): T => {
    const old = isObject(row.markers) ? Object.entries(row.markers) : [];
    const markers = Object.fromEntries(old.filter(([name]) => !names.includes(name))); // an older value is no measurement
    for (const [n, name] of names.entries()) {
      const value = numberIn(found[n]);
      if (typeof value === 'number') markers[name] = value;
      else if (value) failed(name, value.error);
    }
    return { ...row, markers };
  };
  return values.some((value) => value instanceof Promise)
    ? Promise.all(values).then(merge)
    : merge(values as Measured[]);
}

interface Measured {
  readonly value?: unknown;
  readonly error?: unknown;
}

/** The number that was measured; undefined when there was nothing to measure. */
function numberIn({ value, error }: Measured = {}): number | { readonly error: unknown } | undefined {
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number + 0;
  if (error !== undefined) return { error };
  return value === null || value === undefined ? undefined : { error: value };
}

function attempt(measure: () => unknown): Measured | Promise<Measured> {
  try {
    const value = measure();
    if (!(value instanceof Promise)) return { value };
    return value.then((late: unknown) => ({ value: late }), asFailure);
  } catch (error) {
    return asFailure(error);
  }
}

const asFailure = (error: unknown): Measured => ({ error: error ?? 'unknown' });
