import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { OperatorCounts } from '../core/counters.ts';
import { TracemillError } from '../core/errors.ts';
import { exits, type Io } from './io.ts';

/** Processes that run parts of a pipeline. */
export interface Workers {
  /** Rejects when one ends before it is told to, with the last thing it said. */
  readonly broken: Promise<never>;
  /** What those counted that have ended in order. */
  readonly counts: readonly OperatorCounts[];
  /** Tell all to stop, pass on what they say, and wait until all have ended; one that does not is killed. */
  stop(): Promise<void>;
}

/**
 * Start this program `count` times with the same arguments. What they say is said, with their number. A worker whose
 * supervisor is gone sees its channel close, and stops.
 *
 * @throws TM_WORKER - by `broken`; TM_OPTIONS where a worker says that the call is wrong
 */
export function startWorkers(count: number, argv: readonly string[], io: Io, graceMs: number): Workers {
  const [command = process.execPath, ...args] = io.self ?? [];
  let isStopping = false;
  const counts: OperatorCounts[] = [];
  const workers = Array.from({ length: count }, (_, n) => {
    const child = spawn(command, [...args, ...argv], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    child.on('message', (message) => counts.push(...(message as readonly OperatorCounts[]))); // by `report`
    return { child, words: listen(child, n + 1, io), ended: ending(child) };
  });
  const broken = Promise.race(
    workers.map(async ({ ended, words }, n) => {
      const { code, signal, error } = await ended;
      if (isStopping) return new Promise<never>(() => {});
      const how = error ?? (signal ? `was ended by ${signal}` : `ended with code ${code}`);
      const said = words.last === '' ? 'it said nothing' : words.last.replace(/^TM_\w+: /, '');
      throw new TracemillError(
        code === exits.wrongCall ? 'TM_OPTIONS' : 'TM_WORKER',
        `worker ${n + 1} ${how}: ${said}`,
      );
    }),
  );
  broken.catch(() => {}); // whoever waits for it is told; until then it is not unhandled
  return {
    broken,
    counts,
    async stop() {
      isStopping = true;
      for (const { child } of workers) child.kill('SIGTERM');
      const late = setTimeout(() => {
        for (const [n, { child }] of workers.entries())
          if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
            io.say(`worker ${n + 1} did not end within ${graceMs / 1000} seconds and was killed: its rows come again`);
      }, graceMs);
      await Promise.all(workers.map(({ ended }) => ended));
      clearTimeout(late);
    },
  };
}

function listen(child: ChildProcess, number: number, io: Io): { last: string } {
  const words = { last: '' };
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.trim() !== '') words.last = line;
      io.say(`[worker ${number}] ${line}`);
    });
  return words;
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: string;
}

/** `close` comes after the last word was read; `error` alone when it could not be started. */
async function ending(child: ChildProcess): Promise<End> {
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return { code, signal };
  } catch (error) {
    return { code: null, signal: null, error: `could not be started: ${String(error)}` };
  }
}
