import type { Admin } from 'kafkajs';
import { TracemillError } from '../core/errors.ts';
import { patiently } from './kafka-patience.ts';

/**
 * Ask the brokers over a connection of its own, which is closed whatever comes of it.
 *
 * @throws TM_SOURCE - they cannot be reached, or refuse
 */
export async function withAdmin<T>(
  { admin: makeAdmin }: { readonly admin: () => Admin },
  ask: (admin: Admin) => Promise<T>,
): Promise<T> {
  const admin = makeAdmin();
  try {
    await patiently(() => admin.connect());
    return await ask(admin);
  } catch (cause) {
    if (cause instanceof TracemillError) throw cause;
    throw new TracemillError('TM_SOURCE', `brokers: ${String(cause)}`, { cause });
  } finally {
    await admin.disconnect().catch(() => {}); // nothing hangs on it
  }
}
