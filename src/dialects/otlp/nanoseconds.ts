import { isObject } from '../fields.ts';

/**
 * Read a time in nanoseconds since 1970 from its decimal text, a number, a bigint, a `{low, high}` pair, a
 * `[seconds, nanoseconds]` pair, or an ISO 8601 text. Undefined for anything else, for 0, which means no time, and for what
 * 64 bits do not hold.
 *
 * @source OpenTelemetry Protocol 1.11; house rule for the pairs
 */
export function nanoseconds(value: unknown): bigint | undefined {
  const time = read(value);
  return time !== undefined && time > 0n && time <= latest ? time : undefined;
}

const latest = 2n ** 64n - 1n;

function read(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.round(value)) : undefined;
  if (typeof value === 'string') return ofText(value);
  if (Array.isArray(value)) return ofPair(value);
  if (isObject(value) && typeof value['low'] === 'number' && typeof value['high'] === 'number')
    return (BigInt(value['high'] >>> 0) << 32n) | BigInt(value['low'] >>> 0);
  return undefined;
}

function ofText(text: string): bigint | undefined {
  if (/^0*\d{1,20}$/.test(text)) return BigInt(text); // not of a million digits, which takes long
  if (/^0*\d{1,20}\.\d+$/.test(text)) return BigInt(text.slice(0, text.indexOf('.')));
  const millis = Date.parse(text);
  if (Number.isNaN(millis) || !/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const below = BigInt(fraction.padEnd(9, '0').slice(3, 9) || '0'); // what milliseconds cannot hold
  return BigInt(millis) * 1_000_000n + below;
}

function ofPair([seconds, rest]: readonly unknown[]): bigint | undefined {
  if (!Number.isInteger(seconds) || !Number.isInteger(rest)) return undefined;
  return BigInt(seconds as number) * 1_000_000_000n + BigInt(rest as number);
}

/** Milliseconds since 1970 as nanoseconds. */
export function ofMilliseconds(value: unknown): bigint | undefined {
  const millis = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof millis === 'number' && Number.isFinite(millis) && millis > 0
    ? BigInt(Math.round(millis * 1000)) * 1000n
    : undefined;
}
