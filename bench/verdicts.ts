import { compareRuns, type Verdict } from '../src/reports/compare-runs.ts';
import { deltaReport } from '../src/reports/delta/index.ts';
import { type Random, randomStream } from '../src/stats/random.ts';
import { tInterval } from '../src/stats/t-interval.ts';
import { type Population, passes } from './populations.ts';

/** How often a comparison decides, and how often a plain paired t test would. */
export interface Decisions {
  readonly verdict: number;
  readonly pairedT: number;
}

/** Compare two runs over the same tasks `draws` times; `gain` is the share of the room above that each task wins. */
export function decisions(
  population: Population,
  { tasks, k, gain, draws, seed = 1 }: { tasks: number; k: number; gain: number; draws: number; seed?: number },
): Decisions {
  const random = randomStream(seed);
  let [verdict, pairedT] = [0, 0];
  const decided: readonly Verdict[] = ['a_better', 'b_better'];
  for (let draw = 0; draw < draws; draw++) {
    const rates = Array.from({ length: tasks }, () => population.rate(random));
    const before = rates.map((rate) => passes(rate, k, random));
    const after = rates.map((rate) => passes(rate + gain * (1 - rate), k, random));
    if (decided.includes(compareRuns(rows(before, k), rows(after, k)).verdict)) verdict++;
    const interval = tInterval(after.map((c, at) => (c - (before[at] as number)) / k));
    if (interval && (interval[0] > 0 || interval[1] < 0)) pairedT++;
  }
  return { verdict: verdict / draws, pairedT: pairedT / draws };
}

/** Count how often a delta report with ten guards fails although nothing changed. */
export function falseGates(
  tasks: number,
  k: number,
  draws: number,
  guardCorrection: 'none' | 'holm',
  seed = 1,
): number {
  const random = randomStream(seed);
  const guards = Array.from({ length: 10 }, (_, at) => `guard_${at}`);
  let failed = 0;
  for (let draw = 0; draw < draws; draw++) {
    const rates = guards.map(() => Array.from({ length: tasks }, () => 0.2 + 0.7 * random.uniform()));
    const side = () => guarded(guards, rates, k, random);
    if (!deltaReport(side(), side(), { target: 'pass_at_1', mustNotRegress: guards, guardCorrection }).ok) failed++;
  }
  return failed / draws;
}

const rows = (counts: readonly number[], k: number) =>
  counts.flatMap((c, task) =>
    Array.from({ length: k }, (_, index) => ({ task_id: `t${task}`, reward: index < c ? 1 : 0 })),
  );

function guarded(guards: readonly string[], rates: readonly (readonly number[])[], k: number, random: Random) {
  const hit = (rate: number | undefined) => (random.uniform() < (rate ?? 0) ? 1 : 0);
  return (rates[0] ?? []).flatMap((_rate, task) =>
    Array.from({ length: k }, () => ({
      task_id: `t${task}`,
      reward: hit(rates[0]?.[task]),
      markers: Object.fromEntries(guards.map((name, at) => [name, hit(rates[at]?.[task])])),
    })),
  );
}
