import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trainingPartSchema } from '../src/rows/training-part.ts';

/** The ids that a training set in parts holds, in order, less what was taken back. */
export async function idsInSet(folder: string): Promise<string[]> {
  const names = (await readdir(join(folder, 'manifest'))).filter((name) => name.endsWith('.json'));
  const entries = await Promise.all(
    names.map(async (name) =>
      trainingPartSchema.parse(JSON.parse(await readFile(join(folder, 'manifest', name), 'utf8'))),
    ),
  );
  const gone = new Set(entries.flatMap(({ retracted }) => retracted));
  return entries.flatMap(({ row_ids }) => row_ids.filter((id) => !gone.has(id))).sort();
}
