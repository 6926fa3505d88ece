import { createHash } from 'node:crypto';
import { TracemillError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import { taskKey } from './task-key.ts';

/** Place a name between 0 and 1, the same in every run: the first 8 hex digits of its sha256. */
export const placeOf = (name: string): number =>
  createHash('sha256').update(name).digest().readUInt32BE(0) / 0xffffffff;

/**
 * Split rows by task into training and held-out rows: all rows of a task on one side, the same side in every run. Null or 0
 * holds nothing out.
 *
 * @throws TM_OPTIONS - the fraction is not between 0 and 1, or no training row is left
 * @source house rule
 */
export function splitHoldout<T extends JsonObject>(
  rows: readonly T[],
  { fraction }: { readonly fraction?: number | null | undefined },
): { readonly train: readonly T[]; readonly holdout: readonly T[] } {
  if (fraction === undefined || fraction === null || fraction === 0) return { train: rows, holdout: [] };
  if (!(fraction > 0 && fraction < 1))
    throw new TracemillError('TM_OPTIONS', `holdout: the fraction must be between 0 and 1, not ${fraction}`);
  const isHeld = rows.map((row) => placeOf(taskKey(row)) < fraction);
  const train = rows.filter((_, n) => !isHeld[n]);
  if (train.length === 0)
    throw new TracemillError('TM_OPTIONS', `holdout: a fraction of ${fraction} leaves no row to train on`);
  return { train, holdout: rows.filter((_, n) => isHeld[n]) };
}
