import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readCases } from './case.ts';
import { loadAdapters, runCase } from './run-case.ts';

interface Disputed {
  readonly function: string;
  readonly name: string;
  readonly reason: string;
}

const adapters = await loadAdapters();
const cases = await readCases(['test/golden/cases']);
const disputed = JSON.parse(await readFile('test/golden/disputed.json', 'utf8')) as readonly Disputed[];
const isDisputed = (name: string, by: string) => disputed.some((one) => one.name === name && one.function === by);

it('finds golden cases', () => {
  expect(cases.length).toBeGreaterThan(0);
});
for (const file of new Set(cases.map((placed) => placed.file)))
  describe(file, () => {
    const here = cases.filter((placed) => placed.file === file).map(({ golden }) => golden);
    it.each(here)('$function: $name', async (golden) => {
      const wrong = await runCase(golden, adapters);
      if (isDisputed(golden.name, golden.function)) expect(wrong).toBeDefined();
      else expect(wrong).toBeUndefined();
    });
  });
