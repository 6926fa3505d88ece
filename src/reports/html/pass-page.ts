import { wilsonInterval } from '../../stats/wilson.ts';
import type { TaskRates } from '../curriculum/curriculum.ts';
import type { PassAt } from '../pass-at/index.ts';
import { listOf, type Section, tableOf } from './page.ts';
import { intervalPlot, type Measured } from './plots.ts';

const share = (value: number | null) => (value === null ? '-' : value.toFixed(3));
const range = (ci: readonly [number, number] | null) =>
  ci === null ? '-' : `${ci[0].toFixed(3)} to ${ci[1].toFixed(3)}`;

/** The sections that show pass@1 and its kin: figures, warnings, each group, each task with its interval, hardest first. */
export function passSections(
  whole: PassAt,
  rates: TaskRates,
  groups: Readonly<Record<string, PassAt>> = {},
): readonly Section[] {
  const line = (name: string, one: PassAt) => [
    name,
    String(one.n_rows),
    String(one.n_groups),
    share(one.pass_at_1),
    range(one.ci95),
    String(one.k),
    share(one.pass_pow_k),
    range(one.pass_pow_k_ci95),
    share(one.pass_at_k),
    range(one.pass_at_k_ci95),
  ];
  const head = ['', 'graded', 'tasks', 'pass@1', '95 %', 'k', 'pass^k', '95 %', 'pass@k', '95 %'];
  const used = `${whole.n_rows} of ${whole.n_rows_total} rows are a pass or a failure.`;
  return [
    {
      title: 'Figures',
      html: tableOf(head, [line('all', whole), ...Object.entries(groups).map(([name, one]) => line(name, one))]),
    },
    { title: 'What to know first', html: listOf([used, ...whole.warnings, ...whole.notes]) },
    { title: 'Groups', html: intervalPlot('pass@1 of each group', Object.entries(groups).flatMap(measured)) },
    { title: 'Tasks, hardest first', html: intervalPlot('pass rate of each task', taskFigures(rates)) },
  ];
}

const measured = ([label, { pass_at_1: mid, ci95 }]: readonly [string, PassAt]): Measured[] =>
  mid === null ? [] : [{ label, mid, ci95 }];

function taskFigures(rates: TaskRates): Measured[] {
  const tasks = [...rates]
    .filter(([, { n }]) => n > 0)
    .map(([task, { n, c, prompt }]) => ({
      label: prompt === undefined || prompt === task ? task : `${task}: ${prompt}`,
      mid: c / n,
      ci95: wilsonInterval(c, n),
    }));
  return tasks.sort((a, b) => a.mid - b.mid || (a.label < b.label ? -1 : 1));
}
