import { filter, from, ignoreElements, lastValueFrom, map, type Observable } from 'rxjs';
import { z } from 'zod';
import { compose } from '../src/core/compose.ts';
import { defineFilter } from '../src/core/define-filter.ts';
import { defineMap } from '../src/core/define-map.ts';
import { createFlow } from '../src/core/flow.ts';
import { Receipt } from '../src/core/receipt.ts';
import { run } from '../src/core/run.ts';
import { pull } from '../src/core/source.ts';

/** How receipts travel, three ways: not at all, in a WeakMap keyed by the row, in an envelope. 1,000,000 rows, 3 steps. */
interface Row {
  readonly n: number;
}
const rows = 1_000_000;
function* numbers(): Generator<Row> {
  for (let n = 0; n < rows; n++) yield { n };
}
const source = () => from(numbers());

function bare(): Observable<unknown> {
  return source().pipe(
    map(({ n }) => ({ n: n + 1 })),
    filter(({ n }) => n % 10 > 0),
    map(({ n }) => ({ n: n + 1 })),
  );
}
function weakMap(settled: () => void): Observable<unknown> {
  const lane = createFlow(64).lane();
  const receipts = new WeakMap<Row, Receipt>();
  const move = (core: (row: Row) => Row) =>
    map((row: Row) => {
      const out = core(row);
      receipts.set(out, receipts.get(row) as Receipt);
      return out;
    });
  return source().pipe(
    map((row) => {
      receipts.set(row, new Receipt(lane, settled));
      return row;
    }),
    move(({ n }) => ({ n: n + 1 })),
    filter((row) => {
      if (row.n % 10 > 0) return true;
      receipts.get(row)?.done();
      return false;
    }),
    move(({ n }) => ({ n: n + 1 })),
    map((row) => receipts.get(row)?.done()),
  );
}
function envelope(settled: () => void): Observable<unknown> {
  const lane = createFlow(64).lane();
  const move = (core: (row: Row) => Row) =>
    map(({ row, receipt }: { row: Row; receipt: Receipt }) => ({ row: core(row), receipt }));
  return source().pipe(
    map((row) => ({ row, receipt: new Receipt(lane, settled) })),
    move(({ n }) => ({ n: n + 1 })),
    filter(({ row, receipt }) => {
      if (row.n % 10 > 0) return true;
      receipt.done();
      return false;
    }),
    move(({ n }) => ({ n: n + 1 })),
    map(({ receipt }) => receipt.done()),
  );
}
const plus = defineMap({
  name: 'plus',
  options: z.strictObject({}),
  core:
    () =>
    ({ n }: Row) => ({ n: n + 1 }),
  example: { options: {}, in: [], out: [] },
});
const notTenth = defineFilter({
  name: 'not-tenth',
  options: z.strictObject({}),
  rejects: ['tenth'],
  core:
    () =>
    ({ n }: Row) =>
      n % 10 > 0 ? undefined : 'tenth',
  example: { options: {}, in: [], out: [] },
});
/** The kernel as it is: plain operators without receipts, and a whole run with credits, batches and rejections stored. */
const operators = (): Observable<unknown> => source().pipe(plus({}), notTenth({}), plus({}));
function wholeRun(settled: () => void): Observable<unknown> {
  const operator = compose(plus({}), notTenth<Row>({}), plus({}));
  const sink = { write: async () => {}, close: async () => {} };
  return run({ source: pull(numbers(), settled), operator, sink, rejected: sink, maxInFlight: 500 });
}

for (let round = 0; round < 3; round++)
  for (const [name, make] of Object.entries({ bare, weakMap, envelope, operators, wholeRun })) {
    let settled = 0;
    const start = performance.now();
    await lastValueFrom(make(() => settled++).pipe(ignoreElements()), { defaultValue: undefined });
    const ms = performance.now() - start;
    process.stdout.write(`${name} ${ms.toFixed(0)} ms, ${((ms * 1e6) / rows).toFixed(0)} ns a row, done ${settled}\n`);
  }
