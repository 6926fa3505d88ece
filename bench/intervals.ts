import { coverage, type Method, methods } from './coverage.ts';
import { populations } from './populations.ts';
import { decisions, falseGates } from './verdicts.ts';

/** `npx tsx bench/intervals.ts [DRAWS]`: how often intervals cover, verdicts err, and gates fail for nothing. */
const draws = Number(process.argv[2] ?? 1000);
const print = (line: string) => process.stdout.write(`${line}\n`);
const percent = (share: number) => (100 * share).toFixed(1).padStart(6);
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

print(`coverage of the nominal 95 % interval of pass@1 (${draws} draws a cell)`);
print(`${'population'.padEnd(26)} k ${[5, 16, 50, 200].map((n) => `  n=${n}`.padStart(7)).join('')}   method`);
for (const [name, method] of Object.entries(methods) as [string, Method][]) {
  const means = [5, 16, 50, 200].map((tasks) => {
    const cells = populations.flatMap((population) =>
      [4, 8].map((k) => ({ population, k, covers: coverage(method, population, tasks, k, draws) })),
    );
    return { tasks, cells };
  });
  for (const [at, { population, k }] of (means[0]?.cells ?? []).entries())
    print(
      `${population.name.padEnd(26)} ${k} ${means.map(({ cells }) => percent(cells[at]?.covers ?? 0)).join(' ')}   ${name}`,
    );
  print(
    `${'mean of all'.padEnd(26)}   ${means.map(({ cells }) => percent(average(cells.map(({ covers }) => covers)))).join(' ')}   ${name}`,
  );
}

print('\npaired verdict: share of comparisons that decide (paired t test beside it)');
for (const gain of [0, 0.3])
  for (const tasks of [6, 8, 16, 50]) {
    const found = populations.flatMap((population) =>
      [4, 8].map((k) => decisions(population, { tasks, k, gain, draws })),
    );
    const [verdict, pairedT] = [average(found.map((one) => one.verdict)), average(found.map((one) => one.pairedT))];
    const worst = Math.max(...found.map((one) => one.verdict));
    const kind =
      gain === 0 ? `nothing changed, worst cell ${percent(worst)}` : `true gain, ${percent(verdict / pairedT)} of t`;
    print(`n=${String(tasks).padEnd(4)} verdict ${percent(verdict)}   t ${percent(pairedT)}   ${kind}`);
  }

print('\ndelta report with 10 guards and nothing changed: share that fails');
for (const tasks of [8, 16, 50])
  for (const correction of ['none', 'holm'] as const)
    print(
      `n=${String(tasks).padEnd(4)} ${correction.padEnd(5)} ${percent(falseGates(tasks, 4, Math.max(200, draws / 2), correction))}`,
    );
