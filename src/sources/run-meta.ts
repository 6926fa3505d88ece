import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { metaPath, type RunMeta, runMetaSchema } from '../rows/run-meta.ts';

/**
 * Read the settings beside a file of rows; undefined when there are none.
 *
 * @throws TM_SOURCE - the file is there and is not such an object
 */
export async function readRunMeta(rowsPath: string): Promise<RunMeta | undefined> {
  const path = metaPath(rowsPath);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new TracemillError('TM_SOURCE', `${path} cannot be read`, { cause });
  }
  try {
    return runMetaSchema.parse(parseJson(text));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new TracemillError('TM_SOURCE', `${path} is not the settings of a run: ${why}`, { cause });
  }
}
