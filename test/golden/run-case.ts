import { readdir } from 'node:fs/promises';
import { TracemillError } from '../../src/core/errors.ts';
import type { Case } from './case.ts';
import { differ } from './compare.ts';
import { expectAtCells } from './recommend-at-cells.ts';

/** Derives from a case's input and options what its `expect` is compared with. An array input is spread by the adapter itself. */
export type Adapter = (input: never, options: never, golden: Case) => unknown;
export type Adapters = Readonly<Record<string, Adapter>>;
/** Thrown errors to the words of golden cases: `reason` of a TracemillError is that word. */
type Thrown = { readonly $throws: string | true } & Readonly<Record<string, unknown>>;

/** Every adapter of `test/golden/adapters`, by the function name that cases use. One name twice is an error. */
export async function loadAdapters(): Promise<Adapters> {
  const all: Record<string, Adapter> = {};
  const folder = new URL('adapters/', import.meta.url);
  for (const file of (await readdir(folder)).sort()) {
    const { adapters } = (await import(new URL(file, folder).href)) as { readonly adapters: Adapters };
    for (const [name, adapter] of Object.entries(adapters)) {
      if (all[name]) throw new Error(`two adapters for ${name}, one in ${file}`);
      all[name] = adapter;
    }
  }
  return all;
}

/** Run one case: undefined when it holds, else what is wrong. */
export async function runCase(golden: Case, adapters: Adapters): Promise<string | undefined> {
  const adapter = adapters[golden.function];
  if (!adapter) return `unknown function ${golden.function}`;
  const { expect } = golden;
  let got: unknown;
  try {
    got = await adapter(structuredClone(golden.input) as never, structuredClone(golden.options ?? {}) as never, golden);
  } catch (error) {
    return isThrown(expect) ? wrongError(error, expect) : `threw ${String(error)}`;
  }
  if (isThrown(expect)) return `did not throw ${String(expect.$throws)}: got ${JSON.stringify(got)?.slice(0, 200)}`;
  return differ(got, golden.compare === 'recommend_at_cells' ? expectAtCells(expect, got) : expect, golden);
}

const isThrown = (expect: unknown): expect is Thrown =>
  expect !== null && typeof expect === 'object' && '$throws' in expect;

function wrongError(error: unknown, expect: Thrown): string | undefined {
  if (!(error instanceof TracemillError)) return `threw an untyped error: ${(error as Error)?.stack ?? String(error)}`;
  if (expect.$throws !== true && error.reason !== expect.$throws)
    return `threw ${error.reason}, expected ${expect.$throws}: ${error.message}`;
  const option = expect['names_option'];
  if (typeof option === 'string' && !error.message.includes(option))
    return `the message does not name ${option}: ${error.message}`;
  return undefined;
}
