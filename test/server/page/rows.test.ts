import fc from 'fast-check';
import { expect, it, vi } from 'vitest';

interface Head {
  readonly rollout_id: string;
  readonly n: number;
}
interface Rows {
  put(head: Head): void;
  trim(): void;
  filter(rule?: (head: Head) => boolean): void;
  isSearching(): boolean;
  length(): number;
  at(n: number): Head | undefined;
  placeOf(id: string): number;
}
const assets = new URL('../../../src/server/page/assets/', import.meta.url);
const { createRows } = (await import(new URL('rows.js', assets).href)) as {
  createRows: (onChange: () => void, max?: number) => Rows;
};
const { visible, cutAt } = (await import(new URL('text.js', assets).href)) as {
  visible: (text: string) => string;
  cutAt: (text: string, length: number) => string;
};
const shown = (rows: Rows) => Array.from({ length: rows.length() }, (_, n) => rows.at(n)?.n);

it('shows the newest first, all or those that match, as a plain filter would, whenever they come', async () => {
  const ids = fc.array(fc.nat(60), { maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(ids, ids, ids, async (before, between, after) => {
      const rows = createRows(() => {}, 1000);
      const seen = new Map<number, Head>();
      const add = (n: number) => {
        const head = { rollout_id: `r${n}`, n };
        rows.put(head);
        seen.set(n, head); // one that is known keeps its place
      };
      const isEven = ({ n }: Head) => n % 2 === 0;
      before.forEach(add);
      rows.filter(isEven);
      between.forEach(add);
      await vi.waitFor(() => expect(rows.isSearching()).toBe(false));
      const all = [...seen.values()].reverse();
      expect(shown(rows)).toEqual(all.filter(isEven).map(({ n }) => n));
      for (const [place, { rollout_id }] of all.filter(isEven).entries()) expect(rows.placeOf(rollout_id)).toBe(place);
      rows.filter(undefined);
      after.forEach(add);
      const now = [...seen.values()].reverse();
      expect(shown(rows)).toEqual(now.map(({ n }) => n));
      expect(now.map(({ rollout_id }) => rows.placeOf(rollout_id))).toEqual(now.map((_, place) => place));
    }),
    { numRuns: 40 },
  );
});

it('holds no more than its bound, the newest, with or without a search', () => {
  const rows = createRows(() => {}, 100);
  rows.filter(({ n }) => n % 3 === 0);
  for (let n = 0; n < 1000; n++) {
    rows.put({ rollout_id: `r${n}`, n });
    rows.trim();
  }
  expect(rows.length()).toBeLessThanOrEqual(36);
  expect(rows.at(0)?.n).toBe(999);
  rows.filter(undefined);
  expect(rows.length()).toBeLessThanOrEqual(106);
  expect([rows.at(0)?.n, rows.placeOf('r5'), rows.placeOf('r990')]).toEqual([999, -1, 9]);
});

it('shows what hides, turns or moves as a sign that does nothing, and leaves languages alone', () => {
  expect(visible('a\u001b[31mb\u0000\u007f')).toBe('a\u241b[31mb\u2400\u2421');
  expect(visible('\u202eabc\u2066\u200b\ufeff')).toBe('[U+202E]abc[U+2066][U+200B][U+FEFF]');
  expect(visible('\u{e0041}\ud800')).toBe('[U+E0041][U+D800]');
  const plain = 'Zeile\n\tעברית 👩‍👩‍👧 می‌خواهم';
  expect(visible(plain)).toBe(plain);
});

it('cuts between characters', () => {
  expect([cutAt('a😀b', 2), cutAt('a😀b', 3), cutAt('ab', 5)]).toEqual(['a', 'a😀', 'ab']);
});
