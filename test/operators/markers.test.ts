import { from, lastValueFrom, toArray } from 'rxjs';
import { expect, it } from 'vitest';
import type { MarkerFunctions } from '../../src/judges/measure-markers.ts';
import { markers } from '../../src/operators/markers.ts';
import type { Row } from '../../src/rows/row.ts';
import { operatorContract } from '../contract.ts';

operatorContract(markers);

const measure = async (row: Row, functions: MarkerFunctions) => {
  const counts: string[] = [];
  const failed: string[] = [];
  const ports = { markers: functions, failed: (name: string) => failed.push(name) };
  const hooks = { count: (_by: string, what: string) => counts.push(what) };
  const [out] = await lastValueFrom(from([row]).pipe(markers({}, ports, hooks), toArray()));
  return { markers: out?.markers, counts, failed };
};

it('a marker that throws or is not finite is absent and counted, never 0, and the others stay', async () => {
  const throws = () => {
    throw new Error('no');
  };
  const functions = { throws, nan: () => Number.NaN, text: () => '1', late: async () => throws(), good: () => true };
  const { markers: found, counts, failed } = await measure({ markers: { nan: 0.5, old: 1 } }, functions);
  expect(found).toEqual({ old: 1, good: 1 });
  expect(counts).toEqual(Array(4).fill('not_measured'));
  expect(failed.sort()).toEqual(['late', 'nan', 'text', 'throws']);
});

it('nothing to measure is no failure; a promise is waited for', async () => {
  const functions = { nothing: () => null, slow: async () => 0.25 };
  const { markers: found, counts } = await measure({ markers: null }, functions);
  expect(found).toEqual({ slow: 0.25 });
  expect(counts).toEqual([]);
});

it('a marker sees a copy without the answer key', async () => {
  const row = { final_text: 'a', privileged: { reference: 'x' }, steps: [] };
  await measure(row, {
    meddle: (copy) => {
      Object.assign(copy, { final_text: 'b' });
      return 'privileged' in copy ? 0 : 1;
    },
  });
  expect(row.final_text).toBe('a');
});

it('refuses to measure nothing', () => {
  expect(() => markers({}, { markers: {} })).toThrow('TM_OPTIONS');
});
