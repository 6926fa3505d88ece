import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** One golden case as it stands in its file. */
export interface Case {
  readonly name: string;
  readonly function: string;
  readonly input: unknown;
  readonly options: Readonly<Record<string, unknown>>;
  readonly expect: unknown;
  readonly match?: 'exact' | 'subset';
  readonly nulls?: 'absent';
  readonly compare?: string;
  readonly tolerance?: number | Readonly<Record<string, number>>;
}
/** Where a case stands, and what it says. */
export interface Placed {
  readonly file: string;
  readonly golden: Case;
}

/** Read every case below the folders, in the order of the file names. */
export async function readCases(folders: readonly string[]): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const folder of folders) {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
    for (const name of names) {
      const cases: unknown = decode(JSON.parse(await readFile(join(folder, name), 'utf8')));
      if (!Array.isArray(cases)) continue;
      for (const golden of cases as Case[])
        if (typeof golden?.function === 'string') placed.push({ file: relative('.', join(folder, name)), golden });
    }
  }
  return placed;
}

/** `{"$number": "NaN"}` stands for that number, wherever it appears. */
export function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === '$number') return Number(entries[0][1]);
  // fromEntries defines its keys: `__proto__` stays an ordinary key
  return Object.fromEntries(entries.map(([key, inner]) => [key, decode(inner)]));
}
