import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Make a folder and those above it that are missing; one that is there is left as it is. `mkdir` with `recursive` tries for
 * ever where the system says that a folder in a folder that exists does not exist, as under /proc: here each is tried twice at most.
 *
 * @param mode - who may do what with the folders that are made
 * @throws the error of the system, such as EACCES, ENOENT or ENOTDIR
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const place = resolve(path);
  const failed = await made(place, mode);
  if (failed === undefined) return;
  if (failed.code === 'EEXIST' && (await isFolder(place))) return;
  if (failed.code !== 'ENOENT' || place === dirname(place)) throw failed;
  if (!(await isFolder(dirname(place)))) await makeFolder(dirname(place), mode);
  const again = await made(place, mode); // the one above may have come from another process meanwhile, and this one, too
  if (again && !(again.code === 'EEXIST' && (await isFolder(place)))) throw again;
}

const made = (place: string, mode: number): Promise<NodeJS.ErrnoException | undefined> =>
  mkdir(place, { mode }).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );

const isFolder = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isDirectory(),
    () => false, // not there, or not ours to see
  );
