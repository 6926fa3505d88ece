import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseJson } from '../src/core/json.ts';
import { compareRuns } from '../src/reports/compare-runs.ts';
import { curriculum } from '../src/reports/curriculum/curriculum.ts';
import { deltaReport } from '../src/reports/delta/index.ts';
import { groupSignal } from '../src/reports/group-signal.ts';
import { markerSummary } from '../src/reports/marker-summary.ts';
import { passAt } from '../src/reports/pass-at/index.ts';
import { refusalReport } from '../src/reports/refusal-report.ts';

/**
 * `npm run bench -- reports --dir DIR [--reference PYTHON --script FILE]`: each report over rows.jsonl (and after.jsonl) of
 * `DIR` against one pass that only reads the rows, in CPU time; with a Python that has the reference SDK, and a script that
 * prints `{"call", "cpu_s"}` a line, also against it.
 */
const { values: flags } = parseArgs({
  options: { dir: { type: 'string' }, reference: { type: 'string' }, script: { type: 'string' } },
  strict: false,
});
const dir = String(flags['dir'] ?? '.');
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

if (!existsSync(join(dir, 'rows.jsonl'))) {
  process.stdout.write('reports: give --dir DIR with rows.jsonl and after.jsonl\n');
  process.exit(0);
}
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
const reference = referenceMs();
for (const [name, work] of Object.entries(reports)) {
  const ms = cpuMs(work);
  const theirs = reference.get(name);
  const faster = theirs === undefined ? '' : `   ${(theirs / ms).toFixed(0)} x faster than the reference`;
  process.stdout.write(
    `${name.padEnd(26)} ${ms.toFixed(0).padStart(6)} ms   ${(ms / reading).toFixed(2)} x reading${faster}\n`,
  );
}

/** CPU time of the reference SDK, by the name of our report. */
function referenceMs(): Map<string, number> {
  if (!flags['reference'] || !flags['script']) return new Map();
  const calls = { pass_at: 'passAt', delta_report: 'deltaReport' } as const;
  const { stdout } = spawnSync(String(flags['reference']), [String(flags['script']), dir, ...Object.keys(calls)], {
    encoding: 'utf8',
  });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { call: keyof typeof calls; cpu_s: number });
  return new Map(lines.map(({ call, cpu_s }) => [calls[call], cpu_s * 1000]));
}
