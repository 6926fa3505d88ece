import fc from 'fast-check';
import { expect, it } from 'vitest';
import { personalRules } from '../../src/text/personal-rules.ts';
import { redactor } from '../../src/text/redact.ts';
import { secretRules } from '../../src/text/secret-rules.ts';

const made = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
const whole = fc.constantFrom(
  ...[`sk-ant-api03-${made}`, `sk-proj-${made}`, 'AKIAABCDEFGHIJKLMNOP', `AIza${made.slice(0, 35)}`, `ghp_${made}`],
  ...[`glpat-${made}`, `xoxb-${made}`, `hf_${made}`, `sk_live_${made}`, `npm_${made}`, `SG.${made}.${made}`],
  ...['eyJhbGciOiJI.eyJzdWIiOiIx.dozjgNryP4J3j', '-----BEGIN PRIVATE KEY-----', 'https://a:s3cr-t9@b.example'],
  ...['hooks.slack.com/services/', 'Bearer ', 'AUTHORIZATION: basic ', 'Api-Key=', 'PASSWORD is ', 'aws_Secret_key: '],
  ...['jo@mail.example', 'DE89 3704 0044 0532 0130 00', '4111 1111 1111 1111', '123-45-6789', '+49 (30) 1234-5678'],
  ...[
    '415-555-2671',
    '/home/jo/x',
    'C:\\Users\\jo\\',
    '10.1.2.3',
    'fe80::1',
    '[email:3f9a12c07b5e]',
    made,
    `${made}WXYZ`,
  ],
);
const bit = fc.string({ unit: fc.constantFrom(...'aB3 -_.:/@+=",\\n€'), maxLength: 6 });
const cut = fc.tuple(whole, fc.nat(40), fc.nat(6)).map(([text, from, less]) => text.slice(from, text.length - less));
const text = fc.array(fc.oneof(whole, cut, bit), { maxLength: 8 }).map((parts) => parts.join(''));
const field = fc.constantFrom('text', 'password', 'api_key', 'user.id', 'host.name', 'order_id', 'input_tokens');

it('hints at everything that a rule finds', () => {
  fc.assert(
    fc.property(text, (said) => {
      for (const { kind, hint, find } of [...secretRules, ...personalRules])
        if (hint?.test(said) === false) expect(find(said, 'order number: '), kind).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

it('redacts the same whether texts without a hint are searched or not', () => {
  const options = { salt: 'a-secret-of-the-run', personal: true };
  const quick = redactor(options);
  const full = redactor({ ...options, rules: [{ kind: 'never', pattern: '\\x{10ffff}' }] }); // no hint: all is searched
  const row = fc.dictionary(fc.oneof(field, text), fc.oneof(text, fc.array(text, { maxLength: 3 })), { maxKeys: 5 });
  fc.assert(
    fc.property(row, (said) => {
      expect(quick(said)).toEqual(full(said));
      expect(quick(said)).toEqual(full(said)); // names are known now
    }),
    { numRuns: 500 },
  );
});
