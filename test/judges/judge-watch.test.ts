import { expect, it } from 'vitest';
import { JudgeWatch } from '../../src/judges/judge-watch.ts';
import type { Row } from '../../src/rows/row.ts';

const called = (...tools: string[]): Row => ({ steps: tools.map((tool) => ({ tool, result: { status: 'ok' } })) });
function codes(rows: readonly Row[], tools?: readonly string[]): readonly string[] {
  const watch = new JudgeWatch(tools);
  for (const row of rows) watch.add(row);
  const { warnings, warning_codes } = watch.report();
  expect(warnings).toHaveLength(warning_codes.length);
  return warning_codes;
}

it('one silent row in twenty is no warning, two are, one in ten is', () => {
  const busy = (n: number) => Array.from({ length: n }, () => called('a'));
  expect(codes([...busy(19), {}], ['a'])).toEqual([]);
  expect(codes([...busy(18), {}, {}], ['a'])).toEqual(['some_rows_no_tool_call']);
  expect(codes([...busy(9), {}], ['a'])).toEqual(['some_rows_no_tool_call']);
  expect(codes([{}, {}], ['a'])).toEqual(['no_tool_calls']);
  expect(codes([], ['a'])).toEqual([]);
});

it('names the declared tools that nobody called; without declared tools it says nothing of calls', () => {
  expect(codes([called('a')], ['a', 'b'])).toEqual(['tool_never_called']);
  expect(codes([{}])).toEqual([]);
});

it('a tool whose calls fail nine times of nine is dead; eight are no proof, planned faults no evidence', () => {
  const failing = (faults?: Row['faults']): Row => ({
    steps: [{ tool: 'a', arguments: {}, result: { status: 'error' } }],
    faults,
  });
  const times = (n: number, row: Row) => Array.from({ length: n }, () => row);
  expect(codes(times(9, failing()), ['a'])).toEqual(['dead_tool']);
  expect(codes(times(8, failing()), ['a'])).toEqual([]);
  expect(codes(times(9, failing({ a: { mode: 'timeout' } })), ['a'])).toEqual([]);
  expect(codes([...times(9, failing()), ...times(3, called('a'))], ['a'])).toEqual([]);
  expect(codes(times(9, { steps: [{ tool: 'a' }] }), ['a'])).toEqual([]);
});

it('a marker that was a number on any row has fired; true, null and NaN are no numbers', () => {
  expect(codes([{ markers: { m: null } }, { markers: { m: 0 } }])).toEqual([]);
  expect(codes([{ markers: { m: null, b: true } }, { markers: { m: Number.NaN } }])).toEqual(['marker_never_fired']);
});
