import type { Clock } from '../core/clock.ts';
import { stringifyJson } from '../core/json.ts';
import type { Board } from './board.ts';
import type { LiveEvent } from './live-events.ts';

interface Streaming {
  readonly board: Board;
  readonly clock: Clock;
  readonly health: () => LiveEvent['health'];
  /** Time between two events, in ms: at most 20 a second. */
  readonly minGapMs?: number;
  /** A comment is sent after so long without one, so that a broken connection is noticed. */
  readonly heartbeatMs?: number;
  readonly onEnd?: () => void;
}

/**
 * Tell one reader what the board shows: a snapshot, then what is new to it. Nothing waits for the reader: it is asked what it
 * has not seen only when it has taken the event before, so that a slow one gets fewer events and costs no memory.
 */
export function eventStream({ board, clock, health, minGapMs = 50, heartbeatMs = 15_000, onEnd }: Streaming) {
  const utf8 = new TextEncoder();
  const over = new AbortController();
  let seen: number | undefined;
  let sentAt = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const isFirst = seen === undefined;
        if (!isFirst) {
          await pause(minGapMs - (clock() - sentAt), over.signal);
          await changed(board, seen ?? 0, heartbeatMs, over.signal);
        }
        if (over.signal.aborted) return;
        sentAt = clock();
        if (board.rev() === seen) {
          controller.enqueue(utf8.encode(': still here\n\n'));
          return;
        }
        const now = { rev: board.rev(), at_ms: sentAt, health: health(), totals: board.totals() };
        const event: LiveEvent = { ...now, ...board.since(seen) };
        seen = event.rev;
        const name = isFirst ? 'snapshot' : 'update';
        controller.enqueue(utf8.encode(`event: ${name}\nid: ${event.rev}\ndata: ${stringifyJson(event)}\n\n`));
      },
      cancel() {
        over.abort();
        onEnd?.();
      },
    },
    { highWaterMark: 1 },
  );
}

/** Wait, or not any more. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}

/** Wait for a change that is new, at most so long. */
function changed(board: Board, seen: number, maxMs: number, signal: AbortSignal): Promise<void> {
  if (board.rev() > seen || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, maxMs);
    const leave = board.onChange(done);
    function done(): void {
      clearTimeout(timer);
      leave();
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
