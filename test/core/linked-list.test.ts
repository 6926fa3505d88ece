import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Linked, LinkedList } from '../../src/core/linked-list.ts';

interface Item extends Linked<Item> {
  readonly n: number;
}

it('keeps the order in which items were put last, whatever is moved, taken out or put into another list', () => {
  const step = fc.record({ n: fc.nat(5), to: fc.constantFrom('a', 'b', 'out') });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const items = Array.from(
        { length: 6 },
        (_, n): Item => ({ n, list: undefined, before: undefined, after: undefined }),
      );
      const lists = { a: new LinkedList<Item>(), b: new LinkedList<Item>() };
      const model: { a: number[]; b: number[] } = { a: [], b: [] };
      for (const { n, to } of steps) {
        const item = items[n] as Item; // there are six
        model.a = model.a.filter((one) => one !== n);
        model.b = model.b.filter((one) => one !== n);
        if (to === 'out') item.list?.delete(item);
        else {
          lists[to].add(item);
          model[to].push(n);
        }
        for (const name of ['a', 'b'] as const) {
          const seen: number[] = [];
          for (let one = lists[name].first; one; one = one.after) seen.push(one.n);
          expect(seen).toEqual(model[name]);
          expect(lists[name].size).toBe(seen.length);
        }
      }
    }),
  );
});
