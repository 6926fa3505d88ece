import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseJson } from '../src/core/json.ts';
import { isObject, type JsonObject } from '../src/core/json-object.ts';
import { decontaminate } from '../src/reports/guard/decontaminate/index.ts';
import { hackScan } from '../src/reports/guard/hack/hack-scan.ts';
import { nearDuplicatePrompts } from '../src/reports/guard/near-duplicate-prompts.ts';
import { publishGate } from '../src/reports/guard/publish-gate.ts';
import { optimize } from '../src/reports/select/optimize.ts';
import { leakageReport } from '../src/reports/traces/leakage-report.ts';
import { templateRows } from './guards/templates.ts';

/**
 * `npm run bench -- guards [--rows N] [--workload DIR] [--reference PYTHON]`: decontamination of N rows of templates against
 * N texts of them, and of twice as many; with a folder that holds rows.jsonl and sources.jsonl the guards and the selection
 * on them, and with a Python that has the reference SDK how many times its CPU time they take. One JSON line a figure; an
 * exit code of 1 when one is not what must hold.
 */
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    rows: { type: 'string', default: '50000' },
    workload: { type: 'string' },
    reference: { type: 'string' },
  },
});
const print = (figure: object) => process.stdout.write(`${JSON.stringify(figure)}\n`);
const must = (ok: boolean) => {
  if (!ok) process.exitCode = 1;
  return ok;
};
const cpuSeconds = (work: () => unknown): number => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
};

if (values.workload !== undefined) compareOn(values.workload, values.reference);
const half = Number(values.rows);
const [one, two] = [half, 2 * half].map((n) => {
  const { rows, against } = templateRows(n);
  const seconds = cpuSeconds(() => decontaminate(rows, against));
  print({ figure: 'decontaminate templates', rows: n, against: n, cpu_s: seconds });
  return seconds;
});
const growth = (two ?? 0) / (one ?? 1);
const peak = process.resourceUsage().maxRSS / 1024;
print({ figure: 'twice the rows, times the time', value: growth, must: '<= 2.3', ok: must(growth <= 2.3) });
print({ figure: 'most memory, MB', value: Math.round(peak), must: '< 2048', ok: must(peak < 2048) });

/**
 * Each call, the first time and the middle one of the times after a warm-up of a third of them: short calls run more often
 * before their code is compiled. What is known of a row is kept while the row lives, so that rows are read anew for each
 * time; of prompts nothing is kept, and they are read once.
 */
function compareOn(folder: string, python: string | undefined): void {
  const read = (name: string): readonly JsonObject[] =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parseJson(line))
      .filter(isObject);
  const someOf = (rows: readonly JsonObject[]) => rows.filter((_, at) => at % 8 === 0).slice(0, 1000);
  const prompts = someOf(read('rows.jsonl')).map(({ prompt }) => String(prompt));
  type Call = (rows: readonly JsonObject[], sources: readonly JsonObject[]) => unknown;
  const ofRows = (call: Call) => () => {
    const [rows, sources] = [read('rows.jsonl'), read('sources.jsonl')];
    return () => call(rows, sources);
  };
  const calls: Readonly<Record<string, readonly [atLeast: number, prepare: () => () => unknown]>> = {
    optimize: [20, ofRows((rows) => optimize(rows, { mode: 'rl' }))],
    publish_gate: [20, ofRows((rows) => publishGate(rows, { mode: 'rl', strict: false }))],
    hack_scan: [10, ofRows((rows) => hackScan(rows))],
    leakage: [100, ofRows((rows, sources) => leakageReport(someOf(rows), sources))],
    near_duplicates: [100, () => () => nearDuplicatePrompts(prompts)],
  };
  const theirs = python === undefined ? new Map<string, number>() : referenceTimes(python, folder);
  for (const [call, [atLeast, prepare]] of Object.entries(calls)) {
    const runs: number[] = [];
    while (runs.length < 9 || (runs.length < 30 && runs.reduce((sum, one) => sum + one) < 2)) {
      runs.push(cpuSeconds(prepare()));
    }
    const [first_cpu_s] = runs;
    const warm = runs.slice(Math.floor(runs.length / 3)).sort((a, b) => a - b);
    const cpu_s = warm[Math.floor(warm.length / 2)] ?? Number.NaN;
    const reference_cpu_s = theirs.get(call);
    const times = reference_cpu_s === undefined ? undefined : reference_cpu_s / cpu_s;
    const verdict = times === undefined ? {} : { times, must: `>= ${atLeast}`, ok: must(times >= atLeast) };
    print({ figure: call, runs: runs.length, cpu_s, first_cpu_s, reference_cpu_s, ...verdict });
  }
}

/** Seconds of CPU that the reference SDK takes, by call. */
function referenceTimes(python: string, folder: string): ReadonlyMap<string, number> {
  const { stdout, stderr, status } = spawnSync(python, ['bench/guards/reference.py', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the reference SDK did not run: ${stderr}`);
  const told = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly call: string; readonly cpu_s: number });
  return new Map(told.map(({ call, cpu_s }) => [call, cpu_s]));
}
