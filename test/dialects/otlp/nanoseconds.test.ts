import { expect, it } from 'vitest';
import { anyValue } from '../../../src/dialects/otlp/any-value.ts';
import { nanoseconds } from '../../../src/dialects/otlp/nanoseconds.ts';

it('a time of more than 64 bits is none, and one of a million digits costs nothing', () => {
  expect(nanoseconds('18446744073709551615')).toBe(2n ** 64n - 1n);
  expect(nanoseconds('00000000000000000000000000007')).toBe(7n);
  for (const time of ['18446744073709551616', '9'.repeat(1_000_000), `${'9'.repeat(1_000_000)}.5`, 2n ** 64n, 1e300])
    expect(nanoseconds(time)).toBe(undefined);
  expect(anyValue({ intValue: '9'.repeat(1_000_000) })).toBe(Number.POSITIVE_INFINITY);
});
