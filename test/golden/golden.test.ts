import { describe, expect, it } from 'vitest';
import { readCases } from './case.ts';
import { disputes } from './report.ts';
import { loadAdapters, runCase } from './run-case.ts';

const adapters = await loadAdapters();
const cases = await readCases(['test/golden/cases']);
const isDisputed = await disputes();

it('finds golden cases', () => {
  expect(cases.length).toBeGreaterThan(0);
});
for (const file of new Set(cases.map((placed) => placed.file)))
  describe(file, () => {
    const here = cases.filter((placed) => placed.file === file).map(({ golden }) => golden);
    it.each(here)(
      '$function: $name',
      async (golden) => {
        const wrong = await runCase(golden, adapters);
        if (isDisputed(golden)) expect(wrong).toBeDefined();
        else expect(wrong).toBeUndefined();
      },
      30_000,
    );
  });
