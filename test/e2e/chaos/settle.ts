import { setTimeout as sleep } from 'node:timers/promises';

interface Probed {
  readonly isDone: boolean;
  /** Changes while there is progress. */
  readonly state: string;
}

const everyMs = 150;
const stillMs = 30_000; // five dead sessions, with nothing moving and no group rebalancing: nothing will come any more
const hopelessMs = 300_000;

/**
 * Wait until it is done, however long that takes while anything changes. False: nothing moved for half a minute, although
 * everybody was there and at rest; or nothing changed for five.
 */
export async function settle(probe: () => Promise<Probed>, isQuiet: () => Promise<boolean>): Promise<boolean> {
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
    if (quietSinceMs !== undefined && performance.now() - quietSinceMs > stillMs) return false;
    if (performance.now() - changedMs > hopelessMs) return false;
    last = state;
    await sleep(everyMs);
  }
}
