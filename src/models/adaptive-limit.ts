/** How one call went, for the limit: the host is well, the host is full, or it says nothing of the host. */
export type CallEnd = 'fine' | 'full' | 'other';

export interface AdaptiveLimit {
  /** Wait for a place; the answer ends the call. Rejects when the signal aborts first. */
  enter(signal: AbortSignal): Promise<(end: CallEnd) => void>;
  /** Calls allowed at once now. */
  readonly limit: number;
  readonly running: number;
}

/**
 * Bound the calls to one model by what its host bears: each round of good calls allows one more, a sign that the host is
 * full (429, 503, a time-out) halves the bound, once for all calls that ran at that time.
 *
 * @source Chiu and Jain 1989 (additive increase, multiplicative decrease); house rule
 */
export function adaptiveLimit({
  start = 8,
  max = 64,
}: {
  readonly start?: number;
  readonly max?: number;
} = {}): AdaptiveLimit {
  let limit = Math.min(start, max);
  let running = 0;
  let entered = 0;
  /** Calls that entered before this one was the latest saw the old bound: they do not halve it again. */
  let halvedAt = 0;
  const waiting: (() => void)[] = [];

  const admit = (): void => {
    while (running < Math.floor(limit) && waiting.length > 0) {
      running++;
      waiting.shift()?.();
    }
  };
  const leave = (number: number) => (end: CallEnd) => {
    running--;
    if (end === 'fine') limit = Math.min(max, limit + 1 / limit);
    if (end === 'full' && number > halvedAt) {
      limit = Math.max(1, limit / 2);
      halvedAt = entered;
    }
    admit();
  };
  return {
    enter(signal) {
      return new Promise((resolve, reject) => {
        const fail = () => {
          const at = waiting.indexOf(go);
          if (at < 0) return;
          waiting.splice(at, 1);
          reject(signal.reason);
        };
        const go = () => {
          signal.removeEventListener('abort', fail);
          resolve(leave(++entered));
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener('abort', fail, { once: true });
        waiting.push(go);
        admit();
      });
    },
    get limit() {
      return Math.floor(limit);
    },
    get running() {
      return running;
    },
  };
}
