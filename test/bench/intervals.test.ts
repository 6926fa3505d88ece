import { expect, it, vi } from 'vitest';
import { coverage, methods } from '../../bench/coverage.ts';
import { populations } from '../../bench/populations.ts';
import { decisions, falseGates } from '../../bench/verdicts.ts';

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const nothing = { k: 4, gain: 0, draws: 80 };

vi.setConfig({ testTimeout: 60_000 });

it('the default interval covers as often as it says, where the percentile bootstrap does not', () => {
  const mean = (method: keyof typeof methods) =>
    average(populations.map((population) => coverage(methods[method], population, 16, 4, 150)));
  expect(mean('cluster_wilson')).toBeGreaterThan(0.93);
  expect(mean('percentile')).toBeLessThan(0.92);
});

it('finds no difference where nothing changed, and nearly as many gains as a t test', () => {
  for (const tasks of [6, 16])
    expect(average(populations.map((population) => decisions(population, { tasks, ...nothing }).verdict))).toBeLessThan(
      0.05,
    );
  const found = populations.map((population) => decisions(population, { tasks: 16, k: 4, gain: 0.3, draws: 60 }));
  expect(average(found.map(({ verdict }) => verdict))).toBeGreaterThan(
    0.95 * average(found.map(({ pairedT }) => pairedT)),
  );
});

it('ten guards tested together rarely fail a change that is none', () => {
  const [together, alone] = [falseGates(16, 4, 150, 'holm'), falseGates(16, 4, 150, 'none')];
  expect(together).toBeLessThan(0.1); // 0.05, and 2.8 standard errors of 150 draws
  expect(alone).toBeGreaterThan(2 * together);
});
