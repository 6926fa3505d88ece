import { z } from 'zod';
import { findJson } from './extract-json.ts';
import { defineVerifier, verifierOptions } from './verifier.ts';

const options = z.strictObject({
  ...verifierOptions,
  topType: z
    .enum(['object', 'array', 'string', 'number', 'boolean', 'null'])
    .optional()
    .describe('What the value must be; anything by default.'),
});

/**
 * Check that the reply holds JSON. Strict: no NaN, comments, single quotes or trailing commas. Needs no reference.
 *
 * @throws TM_OPTIONS - when built, if `topType` is unknown
 * @source house rule
 */
export const jsonValid = defineVerifier({
  name: 'JSONValid',
  options,
  needsGold: false,
  check:
    ({ topType }) =>
    (candidate) => {
      const read = findJson(candidate);
      if (!read.found) return [false, 'JSONValid: fail, no JSON in the answer'];
      const type = jsonType(read.value);
      return topType === undefined || type === topType ? true : [false, `JSONValid: fail, ${type}, not ${topType}`];
    },
});
export const JSONValid = jsonValid;

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
