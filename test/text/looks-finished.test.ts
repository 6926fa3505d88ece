import { expect, it } from 'vitest';
import { endsComplete, looksFinished } from '../../src/text/looks-finished.ts';

const finished = [
  'Done.',
  'Thanks,\nAlex',
  'Kind regards,\nmaria',
  'Best regards',
  'Cheers!',
  'Thanks, Alex',
  '-- Sam',
  '— The Team',
  '```py\nx\n```',
  'The answer is\n#### 42',
  '-3.5%',
  '$1,200',
  '完成了。',
  'اتممت؟',
  'हो गया।',
  'done 👍',
  'done 👍🏽',
  'vive la France 🇫🇷',
  'so ❤️',
];
const cut = [
  '',
  'so then we went and',
  '```py\nx',
  '完成了',
  'Thanks for the',
  'The best way to',
  'I thank you and',
  'we have, as said,\nand then',
  'and 42 of',
];

it.each(finished)('%j ends where it should', (text) => expect(looksFinished(text)).toBe(true));
it.each(cut)('%j was cut off', (text) => {
  expect(looksFinished(text)).toBe(false);
  expect(endsComplete(text)).toBe(false);
});
it.each(['Items:\n- item one\n- item two', '1. a\n2) b', '| a | b |\n|---|---|\n| 1 | 2 |', 'See https://x.org/a'])(
  'a reply that ends in a list, a table or a URL is complete: %j',
  (text) => expect([looksFinished(text), endsComplete(text)]).toEqual([false, true]),
);
it('a list inside an open code fence is not complete', () => expect(endsComplete('```\n- a\n- b')).toBe(false));
