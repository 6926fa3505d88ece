import { setTimeout as sleep } from 'node:timers/promises';
import { draw } from '../../src/core/draws.ts';
import { TracemillError } from '../../src/core/errors.ts';
import { type Ask, type Rollout, slowAsk } from './scene.ts';
import type { WorkerOptions } from './worker-options.ts';

interface Mood extends Pick<WorkerOptions, 'seed' | 'maxCallMs' | 'hangRate' | 'cutMs' | 'isMended'> {
  readonly onHang: () => void;
}

/** What makes a judge that is not mended throw. */
export const riddle = 'riddle';

/** A slow judge that throws at riddles until it is mended, and some of whose first tries hang until they are cut. */
export function moodyAsk({ seed, maxCallMs, hangRate, cutMs, isMended, onHang }: Mood): Ask {
  const answer = slowAsk(seed, maxCallMs);
  const tried = new Set<string>();
  const hangs = ({ rollout_id }: Rollout): boolean =>
    draw(seed, rollout_id, 'hang') < hangRate && tried.size < tried.add(rollout_id).size;
  return async (row, signal) => {
    if (row.text === riddle && !isMended) throw new TypeError('the judge has no idea');
    if (hangs(row)) {
      onHang();
      await hangUntil(cutMs, signal);
    }
    return answer(row, signal);
  };
}

async function hangUntil(cutMs: number, signal: AbortSignal): Promise<void> {
  await sleep(cutMs, undefined, { signal });
  throw new TracemillError('TM_MODEL', `no answer in ${cutMs} ms`, { retriable: true, reason: 'timeout' });
}
