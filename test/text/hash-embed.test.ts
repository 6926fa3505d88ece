import { expect, it } from 'vitest';
import { cosine, hashEmbed } from '../../src/text/hash-embed.ts';

const alike = (a: string, b: string) => cosine(hashEmbed(a), hashEmbed(b));

it('does not see case, punctuation and which number it is', () => {
  expect(alike('Where is order 4412?', 'where is ORDER 99')).toBeCloseTo(1, 9);
});

it('sees the order of words through pairs', () => {
  expect(alike('dog bites man', 'man bites dog')).toBeCloseTo(0.6, 1);
});

it('tells two prompts of another script apart', () => {
  expect(alike('где мой заказ', 'отмените бронь на пятницу')).toBeLessThan(0.5);
  expect(alike('返金してください', '予約を変更したい')).toBeLessThan(0.5);
});

it('still compares text without a word', () => {
  expect(alike('?!?!?!', '?!?!?!')).toBeCloseTo(1, 9);
  expect(alike('', '')).toBe(0);
});
