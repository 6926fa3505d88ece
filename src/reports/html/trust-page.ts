import { htmlPage, listOf, tableOf, verdictLine } from './page.ts';
import { squarePlot } from './plots.ts';

/** What the page of a judge shows, as plain figures. */
export interface TrustFigures {
  readonly ok: boolean;
  readonly summary: string;
  readonly warnings: readonly string[];
  readonly figures: readonly (readonly [name: string, value: string])[];
  readonly calibration: readonly {
    readonly said: number;
    readonly right: number;
    readonly ci95: readonly [number, number] | null;
    readonly n: number;
  }[];
  readonly probes: readonly (readonly string[])[];
  readonly disagreements: readonly {
    readonly task: string;
    readonly gold: number;
    readonly judge: number;
    readonly reason: string;
    readonly final_text: string;
  }[];
}

const most = 100; // disagreements on a page

/** The page of a trust check: the verdict, figures, calibration, attacks, and where judge and label part. */
export function trustPage({
  ok,
  summary,
  warnings,
  figures,
  calibration,
  probes,
  disagreements,
}: TrustFigures): string {
  const points = calibration.map(({ said, right, ci95, n }) => ({
    label: `${n} rows: said ${said.toFixed(3)}, right ${right.toFixed(3)}`,
    x: said,
    y: right,
    ci95,
    n,
  }));
  const apart = disagreements
    .slice(0, most)
    .map(({ task, gold, judge, reason, final_text }) => [
      task,
      gold === 1 ? 'pass' : 'fail',
      judge === 1 ? 'pass' : 'fail',
      reason,
      final_text,
    ]);
  return htmlPage('Trust in the judge', verdictLine(ok, summary), [
    { title: 'What to know first', html: listOf(warnings, ok ? '' : 'warn') },
    { title: 'Figures', html: tableOf(['figure', 'value'], figures) },
    {
      title: 'Calibration',
      html: squarePlot('calibration of the judge', ['the judge said', 'the labels say'], points),
    },
    { title: 'Attacks', html: tableOf(['attack', 'rows', 'wins', '95 %', 'verdict'], probes) },
    { title: 'Where they part', html: tableOf(['task', 'label', 'judge', 'its reason', 'reply'], apart) },
  ]);
}
