import { expect, it } from 'vitest';
import { sendMutated } from '../../bench/otlp/send-mutated.ts';

it('answers whatever is sent as the protocol says, and loses no good span beside a bad one', async () => {
  const { answers, good, lost, wrong } = await sendMutated(0, 2000, { maxBodyBytes: 65_536, maxAttributeChars: 4096 });
  expect({ lost, wrong }).toEqual({ lost: [], wrong: [] });
  expect(good).toBeGreaterThan(500);
  const statuses = new Set(Object.keys(answers).map((name) => name.slice(-3)));
  expect(statuses).toEqual(new Set(['200', '400', '413', '415']));
  expect(({} as { polluted?: number }).polluted).toBe(undefined);
});
