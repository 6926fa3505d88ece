import { hostname } from 'node:os';
import type { OperatorCounts } from '../core/counters.ts';
import { tellFigures } from '../pipelines/side-topics.ts';
import type { KafkaBus } from '../sources/kafka-bus.ts';

interface Watched {
  readonly bus: KafkaBus;
  readonly prefix: string;
  readonly pipeline: string;
  readonly snapshot: () => readonly OperatorCounts[];
}

/** Tell the topic `metrics` what this process does until the work ends, and how it ended. The work's error stays its own. */
export async function watched<T>(work: Promise<T>, watch: Watched): Promise<T> {
  const figures = tellFigures({ ...watch, worker: `${hostname()}:${process.pid}` });
  return work.then(
    async (result) => {
      await figures.end('stopped');
      return result;
    },
    async (error: unknown) => {
      await figures.end('failed', String(error));
      throw error;
    },
  );
}
