import { expect, it } from 'vitest';
import { scoreSchema } from '../../src/rows/score.ts';

const score = { conversation_id: 'c', name: 'helpful', value: 1 };
const problems = (time_unix_nano: unknown) =>
  scoreSchema.safeParse({ ...score, time_unix_nano }).error?.issues.map(({ message }) => message);

it('a verdict of a time beyond 64 bits was taken, and no correction was ever later', () => {
  expect(problems('18446744073709551615')).toBe(undefined);
  for (const time of ['18446744073709551616', '99999999999999999999'])
    expect(problems(time)).toEqual(['a time is at most 18446744073709551615']);
});

it.each(['', '-1', '1.5', 'now', '9'.repeat(21), 7])('refuses the time %j with one word, and does not fail', (time) => {
  expect(problems(time)).toHaveLength(1);
});
