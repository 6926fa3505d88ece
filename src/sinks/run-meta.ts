import { rename, writeFile } from 'node:fs/promises';
import { TracemillError } from '../core/errors.ts';
import { stringifyJson } from '../core/json.ts';
import { metaPath, type RunMeta } from '../rows/run-meta.ts';

/**
 * Write the settings beside a file of rows, whole or not at all.
 *
 * @throws TM_SINK - it cannot be written
 */
export async function writeRunMeta(rowsPath: string, meta: RunMeta): Promise<void> {
  const path = metaPath(rowsPath);
  const part = `${path}.part`;
  try {
    await writeFile(part, `${stringifyJson(meta)}\n`);
    await rename(part, path);
  } catch (cause) {
    throw new TracemillError('TM_SINK', `${path} cannot be written`, { cause });
  }
}
