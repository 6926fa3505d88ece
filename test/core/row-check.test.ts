import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { compileCheck } from '../../src/core/row-check.ts';

const schemas: Readonly<Record<string, z.ZodType>> = {
  loose: z.looseObject({
    a: z.string().nullish(),
    b: z.int().min(0).max(3).optional(),
    c: z.number().max(2).nullable(),
  }),
  list: z.array(z.union([z.string().min(1).max(2), z.boolean(), z.null()])),
  record: z.record(z.string(), z.looseObject({ a: z.unknown() })),
  words: z.union([z.enum(['a', 'b']), z.literal([1, 'c', null])]),
};
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', 'c', '', 'abc', 1, 2.5, -1, 9, 2 ** 60, null, true, 5n),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('any')),
  ),
})).any;

it.for(Object.entries(schemas))('%s: agrees with the schema on any value', ([, schema]) => {
  const check = compileCheck(schema);
  fc.assert(
    fc.property(value, (any) => {
      const { success, data } = schema.safeParse(any);
      expect(check?.(any)).toBe(success);
      if (success) expect(data).toEqual(any);
    }),
    { numRuns: 500 },
  );
});

it('leaves to the schema what does more than check, or has a check of its own', () => {
  const others = [
    z.string().refine((text) => text === 'a'),
    z.looseObject({ a: z.string().default('x') }),
    z.string().transform((text) => text.length),
    z.object({ a: z.string() }), // takes unknown fields away
    z.strictObject({ a: z.string() }),
    z.looseObject({ a: z.array(z.number()).min(1) }),
    z.looseObject({ a: z.coerce.number() }),
    z.looseObject({ a: z.number().gt(1) }),
    z.looseObject({ a: z.string() }).refine(() => false),
    z.record(z.string().min(2), z.string()),
    z.looseObject({ a: z.uuid() }),
    z.array(z.lazy(() => z.string())),
    z.string().regex(/x/),
    z.date(),
  ];
  expect(others.map((schema) => compileCheck(schema))).toEqual(others.map(() => undefined));
});
