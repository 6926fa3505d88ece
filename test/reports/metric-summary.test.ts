import { expect, it } from 'vitest';
import { foldBy, foldRows } from '../../src/core/fold.ts';
import { markerSummary, markerSummaryFold } from '../../src/reports/marker-summary.ts';
import { metricSummary, metricSummaryFold } from '../../src/reports/metric-summary.ts';
import { foldLaw } from '../fold-law.ts';

foldLaw('metricSummary', metricSummaryFold());
foldLaw('metricSummary of a marker', metricSummaryFold({ metric: 'polite' }));
foldLaw('markerSummary', markerSummaryFold());
foldLaw(
  'metricSummary by field',
  foldBy(metricSummaryFold(), (row) => (row as { final_text?: string }).final_text),
);

const marked = (values: readonly unknown[]) => values.map((m, at) => ({ task_id: `t${at}`, markers: { m } }));

it('one NaN marker does not poison the mean, and the rows add up', () => {
  expect(metricSummary([...marked([1, 0, Number.NaN, 'abc']), {}], { metric: 'm' })).toMatchObject({
    mean: 0.5,
    n_rows: 2,
    n_rows_total: 5,
    n_invalid: 2,
    n_not_measured: 1,
  });
});

it('gives lengths a t interval and shares a cluster Wilson interval', () => {
  expect(metricSummary(marked([100, 200, 150]), { metric: 'marker:m' }).ci_method).toBe('t');
  expect(metricSummary(marked([1, 0, 0.5]), { metric: 'marker:m' }).ci_method).toBe('cluster_wilson');
});

it('warns of a marker that has one value, and notes one that has too few tasks', () => {
  const { same, few } = markerSummary([
    { task_id: 'a', markers: { same: 1, few: 0 } },
    { task_id: 'b', markers: { same: 1, few: 1 } },
    { task_id: 'c', markers: { same: 1 } },
  ]);
  expect(same).toMatchObject({ ci95: null, degenerate: true, warning_codes: ['degenerate'], note_codes: [] });
  expect(few).toMatchObject({ ci95: null, degenerate: false, warning_codes: [], note_codes: ['no_interval'] });
});

it('splits a report by a field', () => {
  const rows = [
    { task_id: 'a', slice: 'x', reward: 1 },
    { task_id: 'b', slice: 'y', reward: 0 },
  ];
  const byField = foldRows(
    foldBy(metricSummaryFold(), (row) => (row as { slice: string }).slice),
    rows,
  );
  expect([...byField].map(([slice, { mean }]) => [slice, mean])).toEqual([
    ['x', 1],
    ['y', 0],
  ]);
});
