import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sessionRows } from '../../../src/dialects/otlp/session-rows.ts';
import { groupSpans, type PlacedSpan } from '../../../src/dialects/otlp/span-group.ts';
import { spanView } from '../../../src/dialects/otlp/span-view.ts';

const id = (n: number) => (n + 1).toString(16).padStart(16, '0');
const record = (n: number, parent: number | undefined, start: number, attributes: object = {}) => ({
  ...{ trace_id: 'c'.repeat(32), span_id: id(n), name: 'step', attributes },
  ...(parent !== undefined && { parent_span_id: id(parent) }),
  start_time_unix_nano: `${1_760_000_000_000_000_000n + BigInt(start)}`,
});
const messages = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const chat = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': messages('user', 'go'),
  'gen_ai.output.messages': messages('assistant', 'gone'),
};

it('a trace of 10,000 spans in a chain, children that start before their parents, was rejected whole', () => {
  const count = 10_000;
  const chain = Array.from({ length: count }, (_, n) =>
    record(n, n > 0 ? n - 1 : undefined, count - n, n === count - 1 ? chat : {}),
  );
  expect(sessionRows(chain)).toMatchObject([{ prompt: 'go', final_text: 'gone', span_counts: { spans: count } }]);
});

const parents = fc.array(fc.option(fc.nat(12), { nil: undefined, freq: 8 }), { minLength: 1, maxLength: 12 });

it('places each span below its parent, and cuts each loop once, wherever the spans begin', () => {
  let loops = 0;
  fc.assert(
    fc.property(parents, fc.array(fc.nat(99), { minLength: 12, maxLength: 12 }), (above, starts) => {
      const views = above.map((parent, n) => spanView(record(n, parent, starts[n] ?? 0), n));
      const placed = groupSpans(views, 'conversation').flatMap(({ spans }) => spans);
      expect(placed.map(({ order }) => order).sort((a, b) => a - b)).toEqual(views.map((_, n) => n));
      const cut = placed.filter(({ order, parent }) => {
        const wanted = above[order];
        if (parent) expect(parent).toBe(placed.find((one) => one.order === wanted)); // the same object, not another of it
        return !parent && wanted !== undefined && wanted < above.length;
      });
      for (const span of placed) expect(depthOf(span)).toBeLessThan(placed.length); // it ends
      expect(cut).toHaveLength(loopsIn(above));
      loops += cut.length;
    }),
    { numRuns: 300 },
  );
  expect(loops).toBeGreaterThan(20);
});

function depthOf(span: PlacedSpan): number {
  let depth = 0;
  for (let above = span.parent; above && depth < 100; above = above.parent) depth++;
  return depth;
}

/** Loops among the parents, counted by their lowest member. */
function loopsIn(above: readonly (number | undefined)[]): number {
  let loops = 0;
  for (const n of above.keys()) {
    const seen = [n];
    for (
      let next = above[n];
      next !== undefined && next < above.length && seen.length <= above.length;
      next = above[next]
    ) {
      if (next === n) {
        if (Math.min(...seen) === n) loops++;
        break;
      }
      seen.push(next);
    }
  }
  return loops;
}
