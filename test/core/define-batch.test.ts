import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineBatch } from '../../src/core/define-batch.ts';
import { run } from '../../src/core/run.ts';
import { pull } from '../../src/core/source.ts';
import { filterContract } from '../contract.ts';
import { memorySink, rejectedSink } from '../memory.ts';

interface Row {
  readonly n: number;
}
const rows = (...all: number[]): Row[] => all.map((n) => ({ n }));
const best = defineBatch({
  name: 'best',
  options: z.strictObject({ keep: z.int().min(0) }),
  rejects: ['worse'],
  core:
    ({ keep }) =>
    (all: readonly Row[]) => {
      if (all.some(({ n }) => n < 0)) throw new Error('below zero');
      const order = all.toSorted((a, b) => b.n - a.n);
      return {
        kept: order.slice(0, keep).map(({ n }) => ({ n: n * 10 })),
        rejected: order.slice(keep).map((row) => ({ row, reason: 'worse' })),
      };
    },
  example: { options: { keep: 2 }, ports: {}, in: rows(1, 3, 2), out: rows(30, 20) },
});
filterContract(best);

const nothing = { defaultValue: undefined };

it('holds all rows over a small flow, and every record is done once: kept ones when all that came of them is stored', async () => {
  const done: number[] = [];
  const sink = memorySink<Row>();
  const rejected = rejectedSink();
  const source = pull(rows(1, 5, 4, 2), ({ n }) => done.push(n));
  await lastValueFrom(run({ source, operator: best({ keep: 2 }, {}), sink, rejected, maxInFlight: 1 }), nothing);
  expect(sink.rows).toEqual(rows(50, 40));
  expect(rejected.rows.map(({ row, by, reason }) => [row, by, reason])).toEqual([
    [{ n: 1 }, 'best', 'worse'],
    [{ n: 2 }, 'best', 'worse'],
  ]);
  expect(done.toSorted()).toEqual([1, 2, 4, 5]);
});

it('a core that throws rejects every row with what it threw, and loses none', async () => {
  const done: number[] = [];
  const rejected = rejectedSink();
  const source = pull(rows(1, -1), ({ n }) => done.push(n));
  await lastValueFrom(run({ source, operator: best({ keep: 2 }, {}), sink: memorySink<Row>(), rejected }), nothing);
  expect(rejected.rows.map(({ row, reason, error }) => [row, reason, error])).toEqual([
    [{ n: 1 }, 'error', 'Error: below zero'],
    [{ n: -1 }, 'error', 'Error: below zero'],
  ]);
  expect(done.length).toBe(2);
});
