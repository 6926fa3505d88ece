import type { Verdict } from '../compare-runs.ts';
import type { TaskRates } from '../curriculum/curriculum.ts';
import type { DeltaReport } from '../delta/index.ts';
import { htmlPage, listOf, tableOf, verdictLine } from './page.ts';
import { intervalPlot, type Measured, type Point, squarePlot } from './plots.ts';

/** The verdicts of a comparison as they are said of what came after. */
export const changeWords: Readonly<Record<Verdict, string>> = {
  b_better: 'better',
  a_better: 'worse',
  no_difference_detected: 'no difference detected',
  insufficient_data: 'insufficient data',
};

/** The verdict of a comparison, why, and what a gate says. */
export const headlineOf = ({ headline_verdict, headline_reason, ok }: DeltaReport): string =>
  `${headline_verdict}: ${headline_reason}. ${ok ? 'The gate says yes.' : 'The gate says no.'}`;

/** The page of a comparison: the verdict, every metric with its interval, each task before against after. */
export function deltaPage(report: DeltaReport, before: TaskRates, after: TaskRates): string {
  const metrics = Object.values(report.metrics);
  const figures: Measured[] = metrics.flatMap(({ metric, delta, ci95 }) =>
    delta === null ? [] : [{ label: metric, mid: delta, ci95, tone: toneOf(report, metric) }],
  );
  const reach = Math.max(0.05, ...figures.flatMap(({ mid, ci95 }) => [mid, ...(ci95 ?? [])].map(Math.abs)));
  const lines = metrics.map(({ metric, mean_a, mean_b, delta, ci95, p_value_mid, verdict, guarded }) => [
    metric,
    guarded ? 'guard' : '',
    number(mean_a),
    number(mean_b),
    number(delta),
    ci95 ? `${number(ci95[0])} to ${number(ci95[1])}` : '-',
    number(p_value_mid),
    changeWords[verdict],
  ]);
  const points: Point[] = [...before].flatMap(([task, a]) => {
    const b = after.get(task);
    if (!b || a.n === 0 || b.n === 0) return [];
    return [{ label: `${task}: ${number(a.c / a.n)} to ${number(b.c / b.n)}`, x: a.c / a.n, y: b.c / b.n }];
  });
  return htmlPage('Before against after', verdictLine(report.ok, headlineOf(report)), [
    { title: 'What to know first', html: listOf(report.warnings, report.ok ? '' : 'warn') },
    {
      title: 'Metrics',
      html: tableOf(['metric', '', 'before', 'after', 'change', '95 %', 'p', 'verdict'], lines),
    },
    { title: 'Change of each metric', html: intervalPlot('change of each metric', figures, -reach, reach) },
    { title: 'Tasks', html: squarePlot('pass rate of each task', ['before', 'after'], points) },
    { title: 'Groups', html: tableOf(['group', 'change', '95 %', 'verdict'], groupLines(report)) },
  ]);
}

const number = (value: number | null) => (value === null ? '-' : value.toFixed(3));

function toneOf({ improved, regressions, slipped }: DeltaReport, metric: string): Measured['tone'] {
  if (improved.includes(metric)) return 'up';
  return regressions.includes(metric) || slipped.includes(metric) ? 'down' : undefined;
}

const groupLines = ({ groups }: DeltaReport) =>
  Object.entries(groups).map(([group, { delta, ci95, verdict }]) => [
    group,
    number(delta),
    ci95 ? `${number(ci95[0])} to ${number(ci95[1])}` : '-',
    changeWords[verdict],
  ]);
