import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash128 } from '../../src/core/hash.ts';
import { createKeySet } from '../../src/core/key-set.ts';

it('agrees with a Set that forgets its oldest, for any texts and any size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 200 }),
      (maxKeys, texts) => {
        const keys = createKeySet(maxKeys);
        const plain = new Set<string>();
        for (const text of texts.map(String)) {
          expect(keys.has(text)).toBe(plain.has(text));
          expect(keys.add(text)).toBe(!plain.has(text));
          plain.add(text);
          if (plain.size > maxKeys) plain.delete([...plain][0] ?? '');
          expect(keys.size()).toBe(plain.size);
        }
      },
    ),
  );
});

it('tells 100,000 texts apart, grows as it fills, and holds no text', () => {
  const keys = createKeySet(1_000_000);
  const before = process.memoryUsage();
  const padding = 'x'.repeat(200);
  let news = 0;
  for (let n = 0; n < 100_000; n++) if (keys.add(padding + n)) news++;
  for (let n = 0; n < 100_000; n += 10) if (keys.add(padding + n)) news++;
  expect(news).toBe(100_000);
  expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(2 * 48 * 100_000); // what was outgrown may not be collected yet
}, 20_000);

it('hashes a change anywhere to a change everywhere', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }), fc.nat(), (text, where) => {
      const at = where % text.length;
      const other = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
      const [one, two] = [hash128(text), hash128(other)];
      const bits = one.reduce(
        (sum, word, n) => sum + ((word ^ (two[n] ?? 0)) >>> 0).toString(2).replaceAll('0', '').length,
        0,
      );
      expect(bits).toBeGreaterThan(25); // 64 expected; below 25 once in 10^12
    }),
  );
  expect(new Set(['', '\0', '\0\0', 'a', 'a\0'].map((text) => hash128(text).join())).size).toBe(5);
});

it('is MurmurHash3_x86_128 of UTF-16 text', () => {
  const hex = hash128('The quick brown fox jumps over the lazy dog').map((word) => word.toString(16).padStart(8, '0'));
  expect(hex.join('')).toBe('15beb6860f94f6cafed4894d28be6d5b'); // by another implementation, over the same bytes
});
