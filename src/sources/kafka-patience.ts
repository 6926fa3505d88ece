const firstWaitMs = 100;
const maxWaitMs = 2000;
const maxTries = 60;

/**
 * Ask a broker again while what it met may pass: the client itself gives up when a connection is cut under a question.
 * About two minutes in all, with waits of 100 ms to 2 s.
 */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await ask();
    } catch (error) {
      const { retriable } = error as { readonly retriable?: boolean };
      if (retriable !== true || tries === maxTries) throw error;
      const waitMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (tries - 1));
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
}
