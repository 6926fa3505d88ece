import { expect, it } from 'vitest';
import { redact, redactCore } from '../../src/operators/redact.ts';
import { operatorContract } from '../contract.ts';

operatorContract(redact);

const core = redactCore({ salt: 'a-secret-of-the-run', personal: true, rules: [] });

it('adds to what an earlier pass counted, and gives a row without hits back as it is', () => {
  const once = core({ prompt: 'jo@mail.example and al@mail.example' });
  expect(once['redacted']).toEqual({ email: 2 });
  expect(core(once)).toBe(once);
  const grown = core({ ...once, final_text: 'I wrote to kim@mail.example from 203.0.113.9' });
  expect(grown['redacted']).toEqual({ email: 3, ip: 1 });
});

it('refuses a salt that can be guessed and a kind that is no word', () => {
  expect(() => redact({ salt: 'short' })).toThrow('TM_OPTIONS');
  expect(() => redact({ salt: 'long enough', rules: [{ kind: 'My Kind', pattern: 'x' }] })).toThrow('TM_OPTIONS');
});
