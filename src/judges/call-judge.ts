import { TracemillError } from '../core/errors.ts';
import type { Row } from '../rows/row.ts';
import type { Judge } from './judge.ts';
import { normalizeJudgeResult, type Scale, unread, type Verdict } from './normalize-judge-result.ts';
import { rowCopy } from './row-copy.ts';

/** A call that takes longer than `limitMs` has no verdict; `met` is what it met before, where it is known. */
export const timedOut = (limitMs: number, met?: string): Verdict =>
  unread('timeout', '', { timeout_s: limitMs / 1000, ...(met !== undefined && { last_error: met }) });

/** A judge that threw has no verdict; what it threw is told as `<name>: <message>`. */
export function broken(error: unknown): Verdict {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
  return unread('error', '', { error: said });
}

/** Asks about one row: at once when the judge answers at once, else with a promise. Never throws. */
export type CallJudge = (row: Row, lost?: AbortSignal) => Verdict | Promise<Verdict>;

interface Limits {
  readonly scale?: Scale | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Make the way to ask a judge. It is asked on a copy of the row, and a judge that throws has the status `error`. The clock of
 * a call starts with it; at the limit the verdict is `timeout`, the judge's signal aborts, and what it answers later is not
 * read. `lost` aborts it too. A judge that answers at once costs no promise, no timer and no signal of its own.
 */
export function judgeCaller(judge: Judge, { scale, timeoutMs }: Limits): CallJudge {
  let spare = new AbortController(); // 10 µs to make: one that no open call holds serves the next
  return (row, lost) => {
    const stop = spare;
    try {
      const copy = rowCopy(row, judge.usePrivileged === true);
      const raw = typeof judge === 'function' ? judge(copy, stop.signal) : judge.judge(copy, stop.signal);
      if (!isPromise(raw)) return normalizeJudgeResult(raw, { scale });
      spare = new AbortController();
      return waitFor(raw, stop, { scale, timeoutMs }, lost);
    } catch (error) {
      return broken(error);
    }
  };
}

function waitFor(
  raw: PromiseLike<unknown>,
  stop: AbortController,
  { scale, timeoutMs }: Limits,
  lost?: AbortSignal,
): Promise<Verdict> {
  return new Promise((resolve) => {
    const abort = (): void => stop.abort();
    const settle = (verdict: Verdict): void => {
      clearTimeout(timer);
      lost?.removeEventListener('abort', abort);
      resolve(verdict);
    };
    let met: string | undefined;
    let isLate = false;
    const giveUp = (limitMs: number): void => {
      isLate = true;
      abort();
      setImmediate(() => settle(timedOut(limitMs, met))); // a call that waits to try again says now what it met
    };
    const fail = (error: unknown): void => {
      if (!isLate) settle(broken(error));
      else if (error instanceof TracemillError && error.reason !== 'timeout')
        met = error.message.replace(/^TM_\w+: /, '');
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs, timeoutMs);
    lost?.addEventListener('abort', abort, { once: true });
    raw
      .then((late) => normalizeJudgeResult(late, { scale }))
      .then((verdict) => {
        if (!isLate) settle(verdict);
      }, fail);
  });
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';
}
