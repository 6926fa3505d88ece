import { expect, it } from 'vitest';
import { randomStream } from '../../src/stats/random.ts';

it('repeats a stream from its seed, and gives neighbouring seeds streams of their own', () => {
  const first = (seed: number) => randomStream(seed).uniform();
  expect(first(7)).toBe(first(7));
  const starts = Array.from({ length: 1000 }, (_, seed) => first(seed));
  const average = starts.reduce((sum, value) => sum + value, 0) / starts.length;
  expect(Math.abs(average - 0.5)).toBeLessThan(0.04); // 4 standard errors
  expect(new Set(starts).size).toBe(1000);
});

it('draws every integer below the end equally often', () => {
  const random = randomStream(1);
  const counts = new Uint32Array(7);
  for (let draw = 0; draw < 70_000; draw++) {
    const drawn = random.below(7);
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(600);
});
