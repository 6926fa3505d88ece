import { expect, it } from 'vitest';
import { redactor } from '../../src/text/redact.ts';

const redact = redactor({ salt: 'a-secret-of-the-run' });
const token = 'sk-ant-api03-abcdefghij1234567890';
const insideLists = (inner: string) => `${'['.repeat(990)}${JSON.stringify(inner)}${']'.repeat(990)}`;
const insideObjects = (inner: string) => `${'{"a":'.repeat(990)}${JSON.stringify(inner)}${'}'.repeat(990)}`;
const nested = (around: (inner: string) => string, times: number) => {
  let text = token;
  for (let n = 0; n < times; n++) text = around(text);
  return text;
};

it.each([
  ['lists', insideLists],
  ['objects', insideObjects],
])(
  'a call whose arguments were %s in JSON text in JSON text, 990 deep each time, could not be redacted',
  (_, around) => {
    for (let times = 1; times < 9; times++) {
      const { value, counts } = redact({ steps: [{ arguments: { a: nested(around, times) } }] });
      expect(counts).toEqual({ anthropic_key: 1 });
      expect(JSON.stringify(value)).not.toContain('abcdefghij');
    }
  },
);

it('JSON text far down is redacted as the text it is, and stays JSON', () => {
  const { value } = redact(nested(insideLists, 4));
  let inner: unknown = value;
  for (let times = 0; times < 4; times++) {
    inner = JSON.parse(inner as string);
    while (Array.isArray(inner)) [inner] = inner;
  }
  expect(inner).toMatch(/^\[anthropic_key:[0-9a-f]{12}\]$/);
});
