import { z } from 'zod';
import { defineMap } from '../core/define-map.ts';
import type { Row } from '../rows/row.ts';
import { redactor } from '../text/redact.ts';

const rule = z.strictObject({
  kind: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .describe('A snake_case word: it names the placeholder and the count.'),
  pattern: z.string().min(1).describe('What to redact, a regular expression in RE2 syntax.'),
});
/** Options of everything that redacts. */
export const redactOptions = z.strictObject({
  salt: z
    .string()
    .min(8)
    .describe('Secret of the run. Equal salts give equal placeholders; do not write it down beside the rows.'),
  personal: z
    .boolean()
    .default(false)
    .describe('Also redact e-mail addresses, phones, IBANs, cards, SSNs and IP addresses.'),
  rules: z.array(rule).default([]).describe('Patterns of your own, tried after the built-in ones.'),
});

/** The rule alone. A row in which nothing was found is the same object. */
export function redactCore(config: z.output<typeof redactOptions>): (row: Row) => Row {
  const redact = redactor(config);
  return (row) => {
    const { redacted } = row;
    const { value, counts } = redact(redacted === undefined ? row : without(row));
    if (Object.keys(counts).length === 0) return row;
    const before = Object.entries(redacted ?? {}).filter(([, n]) => typeof n === 'number');
    const total: Record<string, number> = Object.fromEntries(before as [string, number][]);
    for (const [kind, n] of Object.entries(counts)) total[kind] = (total[kind] ?? 0) + n;
    return { ...value, redacted: total };
  };
}

function without({ redacted: _counts, ...row }: Row): Row {
  return row;
}

/**
 * Replace secrets, and what points to a person when asked, by placeholders such as `[email:3f9a12c07b5e]`: in messages,
 * arguments, results, attributes and keys, at any depth, in JSON text too. Equal values get equal placeholders, so a tool
 * argument still matches the turn it came from. The row says how many of each kind there were in `redacted`. Names and
 * postal addresses have no form and are not found. Memory: one row.
 *
 * @throws TM_OPTIONS - when built, if the salt is too short or a pattern is no regular expression of RE2
 * @source house rule
 */
export const redact = defineMap({
  name: 'redact',
  options: redactOptions,
  core: redactCore,
  example: {
    options: { salt: 'example-salt', personal: true },
    in: [{ prompt: 'I am jo@mail.example', steps: [{ tool: 'find', arguments: { email: 'Jo@mail.example' } }] }],
    out: [
      {
        prompt: 'I am [email:e8c330ffcc49]',
        steps: [{ tool: 'find', arguments: { email: '[email:e8c330ffcc49]' } }],
        redacted: { email: 2 },
      },
    ],
  },
});
