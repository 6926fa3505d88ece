import { setTimeout as sleep } from 'node:timers/promises';

export interface Probed {
  readonly isDone: boolean;
  /** Changes while there is progress. */
  readonly state: string;
}

const everyMs = 150;
/** Five dead sessions, with nothing moving and no group rebalancing: nothing will come any more. In ms. */
export const stillMs = 30_000;
/** Longer than the transaction of a dead process may hold up those who read what is committed. */
export const stillInTransactionsMs = 75_000;
const hopelessMs = 300_000;

/**
 * Wait until it is done, however long that takes while anything changes. False: nothing moved for `maxStillMs`, although
 * everybody was there and at rest; or nothing changed for five minutes.
 */
export async function settle(
  probe: () => Promise<Probed>,
  isQuiet: () => Promise<boolean>,
  maxStillMs: number,
): Promise<boolean> {
  let last = '';
  let changedMs = performance.now();
  let quietSinceMs: number | undefined;
  for (;;) {
    const { isDone, state } = await probe();
    if (isDone) return true;
    const nowMs = performance.now();
    if (state !== last) {
      changedMs = nowMs;
      quietSinceMs = undefined;
    } else if (await isQuiet()) quietSinceMs ??= nowMs;
    else quietSinceMs = undefined;
    if (quietSinceMs !== undefined && performance.now() - quietSinceMs > maxStillMs) return false;
    if (performance.now() - changedMs > hopelessMs) return false;
    last = state;
    await sleep(everyMs);
  }
}
