import type { JsonObject } from '../core/json-object.ts';

/** A number is seconds below the first, milliseconds below the next, then microseconds; nanoseconds from there on. */
const seconds = 1e11; // the year 5138
const milliseconds = 1e14;
const microseconds = 1e17;

/**
 * Read when a row began, `ts`, in nanoseconds since 1970 (to about 256 ns): a number of seconds, milliseconds, microseconds or
 * nanoseconds, told apart by its size, or an ISO 8601 text, UTC where it names no zone. Undefined for anything else.
 *
 * @source house rule
 */
export const rowTime = ({ ts }: JsonObject): number | undefined => timeIn(ts);

/** Read a time as `rowTime` does. */
export function timeIn(value: unknown): number | undefined {
  if (typeof value === 'bigint') return ofNumber(Number(value));
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'string') return undefined;
  return /^\d+(\.\d+)?$/.test(value) ? ofNumber(Number(value)) : ofDate(value);
}

function ofNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  if (value < seconds) return value * 1e9;
  if (value < milliseconds) return value * 1e6;
  return value < microseconds ? value * 1e3 : value;
}

const date = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/i;

function ofDate(text: string): number | undefined {
  const found = date.exec(text.trim());
  if (!found) return undefined;
  const [whole, zone] = found;
  const millis = Date.parse(`${whole.replace(' ', 'T')}${zone === undefined && whole.length > 10 ? 'Z' : ''}`);
  return Number.isNaN(millis) ? undefined : millis * 1e6;
}
