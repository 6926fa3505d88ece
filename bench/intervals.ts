import { coverage, type Method, methods } from './coverage.ts';
import { populations } from './populations.ts';
import { decisions, falseGates } from './verdicts.ts';

/**
 * `npm run bench -- intervals [--rows DRAWS]`: how often intervals cover, verdicts err, and gates fail for nothing. What must
 * hold ends as one JSON line a figure, and an exit code of 1 when one does not; 2 standard errors of the draws are allowed.
 */
const given = process.argv.slice(2).find((word) => /^\d+$/.test(word));
const draws = Number(given ?? 1000);
const held: { readonly figure: string; readonly value: number; readonly must: string; readonly ok: boolean }[] = [];
const atLeast = (figure: string, value: number, least: number, slack = 0) =>
  held.push({ figure, value: Number(value.toFixed(4)), must: `>= ${least}`, ok: value >= least - slack });
const atMost = (figure: string, value: number, most: number, slack = 0) =>
  held.push({ figure, value: Number(value.toFixed(4)), must: `<= ${most}`, ok: value <= most + slack });
const error = (share: number, n: number) => 2 * Math.sqrt((share * (1 - share)) / n);
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
  if (name === 'cluster_wilson')
    for (const { tasks, cells } of means)
      atLeast(`mean coverage of pass@1, ${tasks} tasks`, average(cells.map(({ covers }) => covers)), 0.93);
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
    if (gain === 0) atMost(`false positives of the paired verdict, ${tasks} tasks`, verdict, 0.05);
    else if (tasks >= 16) atLeast(`power of the paired verdict against t, ${tasks} tasks`, verdict / pairedT, 0.95);
    const worst = Math.max(...found.map((one) => one.verdict));
    const kind =
      gain === 0 ? `nothing changed, worst cell ${percent(worst)}` : `true gain, ${percent(verdict / pairedT)} of t`;
    print(`n=${String(tasks).padEnd(4)} verdict ${percent(verdict)}   t ${percent(pairedT)}   ${kind}`);
  }

print('\ndelta report with 10 guards and nothing changed: share that fails');
const reports = Math.max(200, draws / 2);
for (const tasks of [8, 16, 50])
  for (const correction of ['none', 'holm'] as const) {
    const share = falseGates(tasks, 4, reports, correction);
    if (correction === 'holm')
      atMost(`false gates with 10 guards, holm, ${tasks} tasks`, share, 0.05, error(0.05, reports));
    print(`n=${String(tasks).padEnd(4)} ${correction.padEnd(5)} ${percent(share)}`);
  }

print('');
for (const one of held) print(JSON.stringify({ bench: 'intervals', draws, ...one }));
if (held.some(({ ok }) => !ok)) process.exitCode = 1;
