import { expect, it } from 'vitest';
import { leakageReport } from '../../../src/reports/traces/leakage-report.ts';

const orders = Array.from({ length: 20 }, (_, n) => `where is order ${n}`);

it('names the first of sources that are as similar, and no max_similarity of 0.9999999999999997', () => {
  for (const ask of ['where is order 3?', 'where is the order 3', 'where is order 3 and where is order 4?']) {
    const { leaky, max_similarity } = leakageReport([ask], orders, { threshold: 0.1 });
    expect([leaky[0]?.source, max_similarity]).toEqual([0, leaky[0]?.similarity]);
    expect(max_similarity).toBe(Number(max_similarity.toFixed(4)));
  }
  expect(leakageReport(['where is order 3?'], orders).max_similarity).toBe(1);
});

it('names the equal source before one that differs in its digits, and the most similar one before an earlier one', () => {
  expect(leakageReport(['Where is  order 19'], orders).leaky).toEqual([{ row: 0, source: 19, similarity: 1 }]);
  const sources = ['where is my invoice', 'where is order 4', 'where is order 5'];
  expect(leakageReport(['where is order 3'], sources, { threshold: 0.1 }).leaky).toMatchObject([{ source: 1 }]);
});
