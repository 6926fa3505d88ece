import type { OperatorCounts } from '../core/counters.ts';
import type { Watching } from './watching.ts';

/** What a command may touch of the process it runs in: a test gives its own. */
export interface Io {
  /** Data, and nothing else. */
  out(text: string): void;
  /** Words for people. */
  say(line: string): void;
  /** Lines that a person types, or that are piped in; read only by a command that asks. */
  lines?(): AsyncIterable<string>;
  /** A person watches `say`: progress may redraw its line. */
  readonly isTerminal: boolean;
  /** Aborts on the first SIGINT or SIGTERM: finish what moves, then end. */
  readonly stop: AbortSignal;
  /** The words that start this program again, for workers. */
  readonly self?: readonly string[];
  /** Tells the process that started this one as a worker what was counted. */
  readonly report?: (counts: readonly OperatorCounts[]) => Promise<void>;
  /** A page that shows what runs. */
  readonly watching?: Watching;
}

/** How a command ended; it becomes the exit code. */
export const exits = { done: 0, gateSaidNo: 1, wrongCall: 2, worldFailed: 3, stopped: 130 } as const;
export type Exit = (typeof exits)[keyof typeof exits];
