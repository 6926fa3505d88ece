import { readFile } from 'node:fs/promises';
import { TracemillError } from '../core/errors.ts';
import { openLineFile } from './line-file.ts';

/**
 * Say whether a card of ours is at a path: false when nothing is there. A README that is no card is not ours to replace.
 *
 * @throws TM_OPTIONS - something else is there
 * @throws TM_SINK - what is there cannot be read
 */
export async function isOurCard(path: string): Promise<boolean> {
  const there = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined; // not there yet
    throw new TracemillError('TM_SINK', `${path}: the card cannot be written there`, { cause });
  });
  if (there === undefined) return false;
  if (/^---\n[\s\S]*?\n {2}- tracemill\n/.test(there)) return true;
  throw new TracemillError('TM_OPTIONS', `${path} is there and is no card; write the set into another folder`);
}

/**
 * Write the card of a set, whole or not at all.
 *
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export async function writeCard(path: string, text: string): Promise<void> {
  const file = await openLineFile(path, { isReplaced: true, isPrivate: false });
  try {
    await file.append(text);
    await file.finish();
  } finally {
    await file.close();
  }
}
