import { parseArgs } from 'node:util';
import { readCases } from '../test/golden/case.ts';
import { loadAdapters, runCase } from '../test/golden/run-case.ts';

/** `npm run golden -- DIR... [--only NAME] [--known]`: a line for each failing case, counts for each function, the total last. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, known: { type: 'boolean' } },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const adapters = await loadAdapters();
const found = (await readCases(positionals.length > 0 ? positionals : ['test/golden/cases'])).filter(
  ({ golden }) => values.only === undefined || golden.function === values.only,
);
const cases = values.known ? found.filter(({ golden }) => Object.hasOwn(adapters, golden.function)) : found;
const counts = new Map<string, { passed: number; failed: number }>();
for (const { file, golden } of cases) {
  const wrong = await runCase(golden, adapters);
  const count = counts.get(golden.function) ?? { passed: 0, failed: 0 };
  counts.set(golden.function, count);
  count[wrong === undefined ? 'passed' : 'failed']++;
  if (wrong !== undefined) print(`FAIL ${file} ${golden.function}: ${golden.name}: ${wrong}`);
}
for (const [name, { passed, failed }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  print(`${name}: ${passed} passed, ${failed} failed`);
if (values.known) print(`${found.length - cases.length} cases of unknown functions left out`);
const failed = [...counts.values()].reduce((sum, count) => sum + count.failed, 0);
if (cases.length === 0) print('no golden case found: name folders that hold some');
print(`${cases.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || cases.length === 0 ? 1 : 0;
