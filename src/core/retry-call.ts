import { TracemillError } from './errors.ts';

type Core<In, Out> = (row: In, signal: AbortSignal) => Promise<Out> | Out;

const firstWaitMs = 250;

/**
 * Make a call that asks again, up to `maxAttempts` times, when what it met may pass (`retriable`). It waits 250 ms, then
 * twice as long each time, and no longer once its signal aborts. Any other error is the answer.
 */
export function retrying<In, Out>(core: Core<In, Out>, maxAttempts: number, onRetry: () => void): Core<In, Out> {
  if (maxAttempts === 1) return core;
  const again = async (error: unknown, row: In, signal: AbortSignal, attempt: number): Promise<Out> => {
    if (attempt >= maxAttempts || signal.aborted || !(error instanceof TracemillError && error.retriable)) throw error;
    onRetry();
    await pause(firstWaitMs * 2 ** (attempt - 1), signal);
    try {
      return await core(row, signal);
    } catch (next) {
      return again(next, row, signal, attempt + 1);
    }
  };
  return (row, signal) => {
    try {
      const answer = core(row, signal);
      return answer instanceof Promise ? answer.catch((error: unknown) => again(error, row, signal, 1)) : answer;
    } catch (error) {
      if (error instanceof TracemillError && error.retriable) return again(error, row, signal, 1);
      throw error;
    }
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
