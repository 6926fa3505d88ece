import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mutateAsk, mutators } from '../../src/grid/mutate.ts';

const text = 'I need to cancel order A1001. It was paid twice! Can you check it today?';

it('knows fourteen ways, each of which changes an ordinary ask', () => {
  expect(Object.keys(mutators)).toHaveLength(14);
  for (const [name, mutator] of Object.entries(mutators))
    expect(mutator(text, 0.3, 'Where is it? Tell me.'), name).not.toBe(text);
});

it('rotates: a hundred failing asks are bent in many ways', () => {
  const ways = new Set(
    Array.from({ length: 100 }, (_, n) => mutateAsk({ id: `p${n}`, text }, { seed: 0, others: [] })?.by),
  );
  expect(ways.size).toBeGreaterThan(10);
});

it('gives a new text or none, the same for the same parent', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.integer(), (id, ask, seed) => {
      const run = { seed, others: ['Where is my parcel? Tell me.'] };
      const mutant = mutateAsk({ id, text: ask }, run);
      return mutant?.text !== ask && JSON.stringify(mutant) === JSON.stringify(mutateAsk({ id, text: ask }, run));
    }),
  );
});
