import { z } from 'zod';
import { isObject } from '../../core/json-object.ts';
import { findJson } from './extract-json.ts';
import { referenceWord, valueAt } from './reference-value.ts';
import { defineVerifier, verifierOptions } from './verifier.ts';

const options = z.strictObject({
  ...verifierOptions,
  path: z.string().min(1).describe('A literal key, else a dotted path with array indices: `items.0.id`.'),
  equals: z.unknown().optional().describe('What the value must be; the reference by default. Null counts as given.'),
  strict: z.boolean().default(false).describe('Compare types and letters as they are: "5" is not 5, "A" not "a".'),
});

/**
 * Compare one field of the reply's JSON with `equals`, else with the reference; without either it must be there and not be
 * null. Text ignores case and blanks at the ends, "5" equals 5, the order of object keys does not count.
 *
 * @source house rule
 */
export const jsonField = defineVerifier({
  name: 'JSONField',
  options,
  needsGold: false,
  check: ({ path, equals, strict }) => {
    const isSame = strict ? sameStrict : sameLoose;
    return (candidate, gold) => {
      const read = findJson(candidate);
      if (!read.found) return [false, 'JSONField: fail, no JSON in the answer'];
      const got = valueAt(read.value, path);
      if (got === undefined) return [false, `JSONField: fail, no ${path} in the answer`];
      if (equals === undefined && gold.value === null)
        return got === null ? [false, `JSONField: fail, ${path} is null`] : true;
      const want = equals === undefined ? gold : { value: equals, isSecret: false };
      return isSame(got, want.value) ? true : [false, `JSONField: fail, ${path} is not ${referenceWord}`];
    };
  },
});
export const JSONField = jsonField;

type Same = (got: unknown, want: unknown) => boolean;
const sameStrict: Same = (got, want) => sameNumber(got, want) ?? (got === want || sameInside(got, want, sameStrict));

const sameLoose: Same = (got, want) => {
  if (isScalar(got) && isScalar(want) && (typeof got === 'string' || typeof want === 'string'))
    return folded(got) === folded(want);
  return sameNumber(got, want) ?? (got === want || sameInside(got, want, sameLoose));
};

function sameInside(got: unknown, want: unknown, isSame: Same): boolean {
  if (Array.isArray(got) && Array.isArray(want))
    return got.length === want.length && got.every((item, n) => isSame(item, want[n]));
  if (!isObject(got) || !isObject(want)) return false;
  const keys = Object.keys(got);
  return (
    keys.length === Object.keys(want).length &&
    keys.every((key) => Object.hasOwn(want, key) && isSame(got[key], want[key]))
  );
}

/** Undefined when one of them is no number. An integer beyond 2^53 is a bigint here and may be a number there. */
function sameNumber(got: unknown, want: unknown): boolean | undefined {
  if (!isNumber(got) || !isNumber(want)) return undefined;
  if (typeof got === typeof want) return got === want;
  return Number.isInteger(Number(got)) && Number.isInteger(Number(want)) && BigInt(got) === BigInt(want);
}
const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
const isScalar = (value: unknown) => ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
const folded = (value: unknown) => String(value).trim().toLowerCase();
