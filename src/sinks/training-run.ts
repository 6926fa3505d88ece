import { z } from 'zod';
import { type Clock, systemClock } from '../core/clock.ts';
import { parseOptions } from '../core/operator.ts';
import { deltaSummary } from '../reports/runs/delta-summary.ts';
import { holdoutSummary } from '../reports/runs/holdout-summary.ts';
import { metricNumbers } from '../reports/runs/trainer-metrics.ts';

/** Sends one call to the server of runs. It rejects when the call was not taken. */
export type RunCall = (call: {
  readonly method: 'POST';
  readonly path: string;
  readonly body: object;
}) => Promise<unknown>;

type Fields = Readonly<Record<string, unknown>>;
type Status = 'done' | 'failed' | 'stopped';
interface Ending {
  readonly summary?: Fields;
  readonly adapter?: string;
  readonly error?: string;
}
interface Ports {
  readonly call: RunCall;
  readonly clock?: Clock;
  /** Told once, at the first call that failed. */
  readonly warn?: (sentence: string) => void;
}

const options = z.strictObject({
  flushEvery: z.int().min(1).default(25).describe('Points that are sent together, without waiting.'),
  flushMs: z.int().min(0).default(15_000).describe('Time in ms after which the next point sends what waits.'),
});
/** Numbers that JSON does not have become null. */
const jsonSafe = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, one) => (typeof one === 'number' && !Number.isFinite(one) ? null : one)));
const maxPoints = 500; // what one call may hold
const maxError = 2000; // characters

/**
 * Report a training run: its curves while it trains, its end with a summary. Points wait until some are there to be sent,
 * and stay in order until a call took them. Nothing here throws because of the network: a run is never ended by its own
 * reporting. Failed calls are counted in `errors`.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source house rule
 */
export function trainingRun(
  id: string,
  { call, clock = systemClock, warn }: Ports,
  given: z.input<typeof options> = {},
) {
  const { flushEvery, flushMs } = parseOptions('trainingRun', options, given);
  const waiting: Fields[] = [];
  let [status, errors, sentAt]: ['running' | Status, number, number] = ['running', 0, clock()];
  let isDown = false;
  let total: number | undefined;
  let summary: Fields = {};
  let queue: Promise<void> = Promise.resolve();

  const send = async (action: 'log' | 'finish', body: object): Promise<boolean> => {
    sentAt = clock();
    try {
      await call({ method: 'POST', path: `/runs/${id}/${action}`, body });
      isDown = false;
      return true;
    } catch (error) {
      errors += 1;
      isDown = true;
      if (errors === 1) warn?.(`run ${id}: ${action} was not taken (${String(error)}); points wait for the next call`);
      return false;
    }
  };
  const sendWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const points = waiting.slice(0, maxPoints);
      const told = total;
      if (!(await send('log', { points, ...(told !== undefined && { total_steps: told }) }))) return;
      waiting.splice(0, points.length);
      if (total === told) total = undefined;
    }
  };
  /** Calls go out one after the other, so that no point is sent twice. */
  const inTurn = (work: () => Promise<unknown>): Promise<void> => {
    queue = queue.then(async () => void (await work()));
    return queue;
  };
  const flush = (): Promise<void> => inTurn(sendWaiting);
  const finished = (extra: Ending = {}): Promise<unknown> =>
    send('finish', {
      status,
      ...(Object.keys(summary).length > 0 && { summary }),
      ...(extra.adapter !== undefined && { adapter: extra.adapter }),
      ...(extra.error !== undefined && { error: extra.error.slice(0, maxError) }),
    });
  const log = (step: number, metrics: Fields = {}): Promise<void> => {
    waiting.push({ ...metricNumbers(metrics), step, ts: clock() / 1000 });
    const isDue = clock() - sentAt >= flushMs || (waiting.length >= flushEvery && !isDown); // no storm of calls at a dead server
    return isDue ? flush() : queue;
  };
  const note = (fields: Fields): Promise<void> => {
    summary = { ...summary, ...fields };
    return status === 'running' ? queue : inTurn(() => finished());
  };

  return {
    /** Keep the numbers of a step. Resolves when what was due is sent. */
    log,
    /** Tell how far the run is, and once how far it goes. */
    progress(step: number, totalSteps?: number): Promise<void> {
      total = totalSteps ?? total;
      return log(step);
    },
    note,
    /** Note what a held-out set scored before and after. */
    holdout: (before: number, after: number, how: { readonly metric?: 'pass' | 'loss' } = {}): Promise<void> =>
      note(holdoutSummary(before, after, how)),
    /** Note what training did to a held-out set, by its graded rows before and after. Gives the report. */
    async delta(...sides: Parameters<typeof deltaSummary>): Promise<ReturnType<typeof deltaSummary>['delta']> {
      const found = deltaSummary(...sides);
      await note({ ...found, delta: jsonSafe(found.delta) });
      return found.delta;
    },
    flush,
    /** End the run, or add to the end of one that is over. */
    finish(how: Status = 'done', extra: Ending = {}): Promise<void> {
      status = how;
      summary = { ...summary, ...extra.summary };
      return inTurn(async () => {
        await sendWaiting();
        await finished(extra);
      });
    },
    status: () => status,
    errors: () => errors,
  };
}
