import { Ajv } from 'ajv';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { canonicalJson } from '../../core/canonical-json.ts';
import { TracemillError } from '../../core/errors.ts';
import { findJson } from './extract-json.ts';
import { linearPattern } from './regex.ts';
import { defineVerifier, Unjudged, verifierOptions } from './verifier.ts';

const options = z.strictObject({
  ...verifierOptions,
  schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]).describe('A JSON Schema, draft 2020-12.'),
});

/** Compile a schema; `pattern` runs in linear time, so no schema and no answer can hang it. */
function compile(schema: boolean | Readonly<Record<string, unknown>>): ValidateFunction {
  const regExp = Object.assign((pattern: string) => linearTest(pattern), { code: 'linear' });
  const settings = { strict: false, allErrors: false, code: { regExp }, logger: false } as const;
  const ajv = isOlder(schema) ? new Ajv(settings) : new Ajv2020(settings);
  addFormats.default(ajv);
  ajv.removeKeyword('uniqueItems'); // compares every pair: a long answer would take minutes
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', validate: areUnique, error: { message: 'has equal items' } });
  return ajv.compile(schema);
}

/** Tools of other stacks still declare draft 6 or 7, where `items` may be a list. */
const isOlder = (schema: boolean | Readonly<Record<string, unknown>>) =>
  typeof schema === 'object' && /draft-0[67]/.test(String(schema['$schema']));
const areUnique = (isOn: boolean, items: readonly unknown[]) =>
  !isOn || new Set(items.map(canonicalJson)).size === items.length;

function linearTest(pattern: string) {
  const compiled = linearPattern('JSONSchema', pattern);
  // ajv keeps compiled patterns by their text: without one it would take the first for all
  return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
}

/**
 * Check the JSON of the reply against a schema. A schema that does not compile is a broken verifier: no verdict, status
 * `error`, and the answer is not failed for it. Needs no reference.
 *
 * @source JSON Schema draft 2020-12
 */
export const jsonSchema = defineVerifier({
  name: 'JSONSchema',
  options,
  needsGold: false,
  check: ({ schema }) => {
    const validate = attempt(() => compile(schema));
    return (candidate) => {
      if (typeof validate !== 'function') return new Unjudged('error', `the schema does not compile: ${validate}`);
      const read = findJson(candidate);
      if (!read.found) return [false, 'JSONSchema: fail, no JSON in the answer'];
      if (validate(withoutBigInts(read.value))) return true;
      return [false, `JSONSchema: fail, ${said(validate.errors?.[0])}`];
    };
  },
});
export const JSONSchema = jsonSchema;

function attempt(build: () => ValidateFunction): ValidateFunction | string {
  try {
    return build();
  } catch (error) {
    return error instanceof TracemillError || error instanceof Error ? error.message : String(error);
  }
}

const said = (error: ErrorObject | undefined) =>
  error ? `${error.instancePath || 'the value'} ${error.message ?? error.keyword}` : 'the value does not match';

/** A schema counts with numbers: an integer beyond 2^53 is one, rounded here only. */
function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBigInts(inner)]));
}
