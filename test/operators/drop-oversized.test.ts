import { expect, it } from 'vitest';
import { dropOversized, dropOversizedCore } from '../../src/operators/drop-oversized.ts';
import { filterContract } from '../contract.ts';
import { talk } from '../spans.ts';

filterContract(dropOversized);

it('measures the bytes of an export, not the characters of a text', () => {
  const [span] = talk('a');
  const core = dropOversizedCore({ maxBytes: 8_000_000 });
  const spanWith = (text: string) => ({ ...span, attributes: { text } }) as never;
  expect(core(spanWith('x'.repeat(7_000_000)))).toBeUndefined();
  expect(core(spanWith('é'.repeat(4_100_000)))).toBe('too_large');
  expect(core(spanWith('\u0001'.repeat(1_400_000)))).toBe('too_large');
});
