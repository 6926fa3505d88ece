import { expect, it } from 'vitest';
import { probeFamilies, writeProbe } from '../../../src/grid/wording/probes.ts';

const probes = Array.from({ length: 330 }, (_, n) => writeProbe(n, 0));

it('goes through all eleven families, three texts each', () => {
  expect(probeFamilies).toHaveLength(11);
  for (const { texts } of probeFamilies) expect(texts).toHaveLength(3);
  expect(new Set(probes.slice(0, 11).map(({ selection_reason }) => selection_reason)).size).toBe(11);
});

it('leaves no slot open and names an ask without a cell by its words', () => {
  for (const { prompt, scenario_id, scenario_dimensions } of probes) {
    expect(prompt).not.toMatch(/[{}]/u);
    expect(scenario_id).toMatch(/^probe_[0-9a-f]{12}$/u);
    expect(scenario_dimensions).toBeUndefined();
  }
});

it('hardly ever writes the same probe twice', () => {
  expect(new Set(probes.map(({ prompt }) => prompt)).size).toBeGreaterThan(320);
});
