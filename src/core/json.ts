import { parse, stringify } from 'lossless-json';

/** An integer of 16 or more digits outside a double's exact range may hide in a run of this many digits. */
const longDigits = /\d{16}/;

/**
 * Parse JSON without losing digits: an integer beyond 2^53 becomes a bigint, every other number a number.
 *
 * @throws SyntaxError - the text is not JSON
 */
export function parseJson(text: string): unknown {
  return longDigits.test(text) ? parse(text, null, exactNumber) : JSON.parse(text);
}

/** Write JSON; a bigint is written as its digits. The inverse of `parseJson`. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError && /BigInt/.test(error.message))) throw error;
    return stringify(value) as string; // only `undefined` has no text, and it has no bigint in it
  }
}

function exactNumber(digits: string): number | bigint {
  const number = Number(digits);
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number;
}
