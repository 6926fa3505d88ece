import { setMaxListeners } from 'node:events';
import { Subject } from 'rxjs';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { type Hooks, parseOptions, type Tally } from '../core/operator.ts';
import { untracked } from '../core/receipt.ts';
import { type Sink, toSink } from '../core/to-sink.ts';
import type { Graded } from '../judges/apply-verdict.ts';
import type { Judge } from '../judges/judge.ts';
import { gradingOptions } from '../judges/run-judge.ts';
import { judgeCore, judge as judgeOperator } from '../operators/judge.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  maxConcurrent: z.int().min(1).default(32).describe('Calls of the judge at the same time.'),
  timeoutMs: z.int().min(1).default(30_000).describe('A call that takes longer has no verdict, in ms.'),
  maxWaiting: z.int().min(1).default(2048).describe('Rows that may wait for the judge; more are sent away.'),
  maxUnwritten: z
    .int()
    .min(1)
    .default(20_000)
    .describe('Verdicts that may wait for their stream; then rows are sent away.'),
  ...gradingOptions,
});
export type RealtimeJudgeOptions = z.input<typeof options>;

interface Ports {
  readonly judge: Judge;
  /** Where every verdict is written, too: the verdict stream. Answers do not wait for it. */
  readonly verdicts?: Sink<Graded>;
  readonly hooks?: Hooks;
  /** What of a row goes to the stream; all of it without one. */
  readonly shown?: (row: Graded) => Graded;
}

interface Waiting {
  readonly start: () => void;
  readonly drop: (error: TracemillError) => void;
}

/** A judge that answers while rollouts are sampled. */
export interface RealtimeJudge {
  /**
   * Grade rows and give them in their order; undefined when there is no room for them now.
   *
   * @throws TM_SINK - the verdict stream is broken for good
   * @rejects TM_WORKER, `stopped` - the rows waited when the judge was stopped
   */
  grade(rows: readonly Row[]): Promise<readonly Graded[]> | undefined;
  /** Time in ms until rows that were sent away may find room. */
  retryAfterMs(): number;
  /** Whether verdicts cannot be written any more. */
  isBroken(): boolean;
  /** Take no more. Rows that wait for a call are sent back to whoever asked; open calls go on. */
  stop(): void;
  /** Stop, wait for open calls, write what is not written: so long at most, in ms. */
  close(maxMs?: number): Promise<void>;
}

/**
 * Judge rows as they are asked about. Rows of all callers stand in one line, so that a large batch does not wait for one slow
 * row; calls run side by side up to `maxConcurrent`; verdicts that come while others are written make one batch. A judge that
 * fails or hangs leaves a status and no reward, and holds its place for `timeoutMs` at most.
 *
 * Memory: `maxWaiting` rows, `maxConcurrent` calls, `maxUnwritten` verdicts.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 11; house rule for the statuses
 */
export function realtimeJudge(
  given: RealtimeJudgeOptions,
  { judge, verdicts, hooks = {}, shown = (row) => row }: Ports,
): RealtimeJudge {
  const { maxConcurrent, maxWaiting, maxUnwritten, ...grading } = parseOptions('realtimeJudge', options, given);
  const place = 'realtime-judge';
  const tally: Tally = hooks.tally?.('judge', place) ?? { in: 0, out: 0, inFlight: 0 };
  const written: Tally = hooks.tally?.('sink', place) ?? { in: 0, out: 0, inFlight: 0 };
  const settings = judgeOperator.spec.options.parse(grading);
  const core = judgeCore(settings, { judge }, (what) => hooks.count?.('judge', what, place));
  const never = new AbortController().signal; // nobody takes a question back
  setMaxListeners(maxConcurrent + 1, never); // each open call listens, and stops when it ends
  const waiting: Waiting[] = [];
  let head = 0;
  let calls = 0;
  let failure: unknown;
  let isClosed = false;
  let wake: (() => void) | undefined;

  const stream = new Subject<Graded>();
  let isWritten = Promise.resolve();
  if (verdicts) {
    const rows = new Subject<{ readonly row: Graded; readonly receipt: typeof untracked }>();
    stream.subscribe({ next: (row) => rows.next({ row, receipt: untracked }), complete: () => rows.complete() });
    isWritten = new Promise((resolve) => {
      rows.pipe(toSink(verdicts, {}, written)).subscribe({
        error(error: unknown) {
          failure = error;
          resolve();
        },
        complete: resolve,
      });
    });
  }
  const tell = (row: Graded): Graded => {
    tally.out++;
    tally.inFlight--;
    stream.next(shown(row));
    return row;
  };
  const next = (): void => {
    while (calls < maxConcurrent && head < waiting.length) waiting[head++]?.start();
    if (head === waiting.length) waiting.length = head = 0;
    else if (head > 4096) {
      waiting.splice(0, head);
      head = 0;
    }
    if (calls === 0 && waiting.length === 0) wake?.();
  };
  const askOne = (row: Row): Promise<Graded> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        const started = performance.now();
        const answer = core(row, never);
        const end = (graded: Graded): void => {
          tally.callMs = (tally.callMs ?? 0) + performance.now() - started;
          resolve(tell(graded));
        };
        if (!(answer instanceof Promise)) {
          attempted(() => end(answer), reject);
          return;
        }
        calls++;
        void answer
          .then(end)
          .catch(reject) // what fails is said to whoever asked, and holds no place
          .finally(() => {
            calls--;
            next();
          });
      };
      waiting.push({ start, drop: reject });
    });
  const stop = (): void => {
    isClosed = true;
    const left = waiting.splice(0).slice(head);
    head = 0;
    tally.inFlight -= left.length;
    for (const { drop } of left) {
      hooks.count?.('judge', 'dropped', place);
      drop(
        new TracemillError('TM_WORKER', 'the judge stops before these rows', { reason: 'stopped', retriable: true }),
      );
    }
    if (calls === 0) wake?.();
  };
  return {
    grade(rows) {
      if (failure !== undefined)
        throw new TracemillError('TM_SINK', 'the verdict stream is broken', { cause: failure });
      const left = waiting.length - head;
      // a batch that is larger than all room is taken when nothing else waits
      const isFull = left > 0 && left + rows.length > maxWaiting;
      if (isClosed || isFull || written.inFlight > maxUnwritten) {
        hooks.count?.('judge', 'sent_away', place);
        return undefined;
      }
      tally.in += rows.length;
      tally.inFlight += rows.length;
      const answers = Promise.all(rows.map(askOne));
      next();
      return answers;
    },
    retryAfterMs() {
      const left = waiting.length - head;
      const finished = Math.max(1, tally.out);
      const perRow = (tally.callMs ?? 0) / finished / maxConcurrent;
      return Math.min(30_000, Math.max(1000, left * perRow));
    },
    isBroken: () => failure !== undefined,
    stop,
    async close(maxMs = 10_000) {
      stop();
      const finished = async (): Promise<void> => {
        if (calls > 0) await new Promise<void>((resolve) => (wake = resolve));
        stream.complete();
        await isWritten;
      };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxMs)));
      await Promise.race([finished(), late]);
      clearTimeout(timer);
    },
  };
}

function attempted(work: () => void, failed: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    failed(error);
  }
}
