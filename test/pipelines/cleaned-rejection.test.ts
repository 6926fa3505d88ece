import { expect, it } from 'vitest';
import { cleanedRejection } from '../../src/pipelines/cleaned-rejection.ts';
import { redactor } from '../../src/text/redact.ts';

const token = 'sk-ant-api03-abcdefghij1234567890';
const redact = redactor({ salt: 'a-secret-of-the-run' });
const clean = (value: unknown) => redact(value).value;
const said = { row: { text: token }, by: 'decode', reason: 'error', error: `no such thing: ${token}`, stage: 'traces' };

it('a rejected row that could not be redacted ended the run', () => {
  let row: unknown = token;
  for (let level = 0; level < 100_000; level++) row = [row];
  const stored = cleanedRejection({ ...said, row }, clean);
  expect(stored).toEqual({
    ...{ row: null, by: 'decode', reason: 'error', stage: 'traces' },
    error: 'the row is left out: it cannot be redacted',
  });
});

it('a token stood in what was thrown of a rejected row', () => {
  const stored = cleanedRejection(said, clean);
  expect(stored).toMatchObject({ by: 'decode', row: { text: expect.stringMatching(/^\[anthropic_key:/) } });
  expect(JSON.stringify(stored)).not.toContain('abcdefghij');
});
