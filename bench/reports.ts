import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../src/core/json.ts';
import { compareRuns } from '../src/reports/compare-runs.ts';
import { curriculum } from '../src/reports/curriculum/curriculum.ts';
import { deltaReport } from '../src/reports/delta/index.ts';
import { groupSignal } from '../src/reports/group-signal.ts';
import { markerSummary } from '../src/reports/marker-summary.ts';
import { passAt } from '../src/reports/pass-at/index.ts';
import { refusalReport } from '../src/reports/refusal-report.ts';

/** `npx tsx bench/reports.ts DIR`: each report over rows.jsonl (and after.jsonl) against one pass that only reads the rows. */
const dir = process.argv[2] ?? '.';
const read = (name: string) =>
  readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line));
const cpuMs = (work: () => unknown): number => {
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return times.sort((a, b) => a - b)[2] ?? 0;
};

const [rows, after] = [read('rows.jsonl'), read('after.jsonl')];
const reading = cpuMs(() => read('rows.jsonl'));
const reports: Readonly<Record<string, () => unknown>> = {
  passAt: () => passAt(rows),
  'passAt, percentile': () => passAt(rows, { ciMethod: 'percentile' }),
  groupSignal: () => groupSignal(rows),
  markerSummary: () => markerSummary(rows),
  curriculum: () => curriculum(rows),
  refusalReport: () => refusalReport(rows),
  compareRuns: () => compareRuns(rows, after),
  deltaReport: () => deltaReport(rows, after, { target: 'pass_at_1', mustNotRegress: ['grounded'] }),
  'deltaReport, percentile': () => deltaReport(rows, after, { ciMethod: 'percentile', mustNotRegress: ['grounded'] }),
};
process.stdout.write(`${rows.length} rows, reading them ${reading.toFixed(0)} ms of CPU (median of 5)\n`);
for (const [name, work] of Object.entries(reports)) {
  const ms = cpuMs(work);
  process.stdout.write(`${name.padEnd(26)} ${ms.toFixed(0).padStart(6)} ms   ${(ms / reading).toFixed(2)} x reading\n`);
}
