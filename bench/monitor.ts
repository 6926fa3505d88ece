import { createHackMonitor } from '../src/reports/monitor/hack-monitor.ts';
import { trainingEvals } from './monitor-runs.ts';

/** `npx tsx bench/monitor.ts [RUNS]`: how many clean runs raise a divergence, and how soon hacked ones do, by both rules. */
const runs = Number(process.argv[2] ?? 200);
const evals = 100;
const half = evals / 2;
const print = (line: string) => process.stdout.write(`${line}\n`);
const percent = (count: number) => `${((100 * count) / runs).toFixed(1)} %`.padStart(8);

/** The first evaluation from `from` on at which a divergence is raised; Infinity for none until `until`. */
function caughtAt(
  divergenceRule: 'significant' | 'threshold',
  events: ReturnType<typeof trainingEvals>,
  from = 0,
  until = evals,
): number {
  const monitor = createHackMonitor({ divergenceRule, plannedEvals: evals });
  let at = 0;
  for (const event of events) {
    const answers = monitor.add(event);
    if (at >= from && answers.some((answer) => 'kind' in answer && answer.kind === 'divergence')) return at;
    at += 1;
    if (at >= until) break;
  }
  return Number.POSITIVE_INFINITY;
}

print(`${runs} runs of ${evals} evaluations, half of them clean; divergence raised`);
print('rule         asks   clean   hacked: within 3       6      12 evaluations');
for (const rule of ['significant', 'threshold'] as const)
  for (const asks of [32, 8]) {
    const shape = { asks, k: 4, evals };
    const seeds = Array.from({ length: runs }, (_, at) => at + 1);
    const clean = seeds.filter((seed) => caughtAt(rule, trainingEvals(seed, shape)) < evals).length;
    const hacked = seeds.map(
      (seed) => caughtAt(rule, trainingEvals(seed + runs, { ...shape, hackedFrom: half }), half, half + 13) - half,
    );
    const within = [3, 6, 12].map((limit) => percent(hacked.filter((delay) => delay <= limit).length));
    print(`${rule.padEnd(12)} ${`${asks} x 4`} ${percent(clean)}       ${within.join(' ')}`);
  }
