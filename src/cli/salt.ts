import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';

const leastLength = 8;

/** Flag of every command that redacts. Other users of the machine see flags, so the environment may hold it, too. */
export const saltFlag = z
  .string()
  .min(leastLength)
  .optional()
  .describe(
    `Secret that placeholders follow from, ${leastLength} characters or more; also TRACEMILL_SALT. Without it each start has its own.`,
  );

/**
 * The secret that placeholders follow from: the flag, the environment, or one of this start alone.
 *
 * @throws TM_OPTIONS - that of the environment is too short
 */
export function saltOf(given: string | undefined): string {
  const salt = given ?? process.env['TRACEMILL_SALT'];
  if (salt === undefined || salt === '') return randomBytes(16).toString('hex');
  if (salt.length < leastLength)
    throw new TracemillError('TM_OPTIONS', `TRACEMILL_SALT: ${leastLength} characters or more are needed`);
  return salt;
}
