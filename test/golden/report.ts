import { readFile } from 'node:fs/promises';
import { type Case, type Placed, readCases } from './case.ts';
import { type Adapters, runCase } from './run-case.ts';

export interface GoldenReport {
  /** A line for each failing case, counts for each function, the total last. */
  readonly lines: readonly string[];
  readonly passed: number;
  readonly failed: number;
  /** Cases thought wrong that fail, as they should. */
  readonly disputed: number;
  /** False when a case failed, and when none was found: no case is no proof. */
  readonly isGood: boolean;
}

interface Choice {
  readonly only?: string | undefined;
  /** Leave cases of unknown functions out, and say how many. Without it they count as failed. */
  readonly known?: boolean | undefined;
}

interface Disputed {
  readonly function: string;
  readonly name: string;
  /** Why the case contradicts its rule. */
  readonly reason: string;
}

/** Whether a case stands on the list of those thought wrong. */
export async function disputes(): Promise<(golden: Case) => boolean> {
  const list = JSON.parse(await readFile(new URL('disputed.json', import.meta.url), 'utf8')) as readonly Disputed[];
  return (golden) => list.some((one) => one.name === golden.name && one.function === golden.function);
}

/** Run every golden case below the folders. A disputed case that fails is counted apart; one that holds counts as passed. */
export async function goldenReport(
  folders: readonly string[],
  adapters: Adapters,
  { only, known = false }: Choice = {},
): Promise<GoldenReport> {
  const found = (await readCases(folders)).filter(({ golden }) => only === undefined || golden.function === only);
  const cases = known ? found.filter(({ golden }) => Object.hasOwn(adapters, golden.function)) : found;
  const isDisputed = await disputes();
  const failures: string[] = [];
  let disputed = 0;
  const counts = new Map<string, { passed: number; failed: number }>();
  for (const placed of cases) {
    const wrong = await runCase(placed.golden, adapters);
    if (wrong !== undefined && isDisputed(placed.golden)) {
      disputed++;
      continue;
    }
    if (wrong !== undefined) failures.push(failureLine(placed, wrong));
    const count = counts.get(placed.golden.function) ?? { passed: 0, failed: 0 };
    counts.set(placed.golden.function, count);
    count[wrong === undefined ? 'passed' : 'failed']++;
  }
  const byName = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const passed = cases.length - failures.length - disputed;
  return {
    lines: [
      ...failures,
      ...byName.map(([name, count]) => `${name}: ${count.passed} passed, ${count.failed} failed`),
      ...(known ? [`${found.length - cases.length} cases of unknown functions left out`] : []),
      ...(cases.length === 0 ? ['no golden case found: name folders that hold some'] : []),
      ...(disputed > 0 ? [`${disputed} disputed, left failing: see test/golden/disputed.json`] : []),
      `${passed} passed, ${failures.length} failed`,
    ],
    passed,
    failed: failures.length,
    disputed,
    isGood: failures.length === 0 && passed > 0,
  };
}

const failureLine = ({ file, golden }: Placed, wrong: string) =>
  `FAIL ${file} ${golden.function}: ${golden.name}: ${wrong}`;
