import { draw } from '../core/draws.ts';
import { TracemillError } from '../core/errors.ts';

export interface RetryOptions {
  readonly maxRetries: number;
  /** First wait, in ms; it doubles with each try. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** Wait; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A failure with what the host asked for: how long to wait. */
export class HostError extends TracemillError {
  readonly waitMs: number | undefined;

  constructor(
    message: string,
    options: { reason: string; retriable: boolean; cause?: unknown; waitMs?: number | undefined },
  ) {
    super('TM_MODEL', message, options);
    this.waitMs = options.waitMs;
  }
}

/**
 * Call until it works, `maxRetries` times more at most: only what is retriable, after the wait the host asked for, else
 * after twice the last wait, shortened by up to a half that the key decides, so that many callers do not return at once. A
 * call that is given up after its first try throws what the last whole try met.
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  { maxRetries, firstWaitMs, maxWaitMs, sleep }: RetryOptions,
  key: readonly unknown[],
  signal: AbortSignal,
): Promise<T> {
  let met: HostError | undefined;
  for (let tries = 0; ; tries++)
    try {
      return await call();
    } catch (error) {
      if (met && signal.aborted) throw met; // given up while it tried again: what it met before says more
      if (error instanceof HostError) met = error;
      if (!(error instanceof TracemillError && error.retriable) || tries >= maxRetries || signal.aborted) throw error;
      const usual = Math.min(maxWaitMs, firstWaitMs * 2 ** tries) * (1 - draw('retry', tries, ...key) / 2);
      const asked = error instanceof HostError ? error.waitMs : undefined;
      await sleep(Math.min(maxWaitMs, Math.max(asked ?? 0, asked === undefined ? usual : 0)), signal).catch(() => {
        throw error;
      });
    }
}

/** Read how long a host asks to wait, in ms: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function waitAsked(headers: { get(name: string): string | null }, now: number): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers.get('retry-after');
  if (after === null) return undefined;
  const seconds = Number(after);
  if (after.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
