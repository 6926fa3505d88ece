import { writeFile } from 'node:fs/promises';
import { TracemillError } from '../core/errors.ts';
import { makeFolderOf } from './run-rows.ts';

/** Write a page where a flag asks for one. */
export async function writePage(path: string | undefined, page: () => string): Promise<void> {
  if (path === undefined) return;
  await makeFolderOf(path);
  await writeFile(path, page()).catch((cause: unknown) => {
    throw new TracemillError('TM_SINK', `${path} cannot be written`, { cause });
  });
}

/** The flag that asks for it. */
export const htmlFlag = 'Also write one page with plots to this file; it needs no network.';
