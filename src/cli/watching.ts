import { systemClock } from '../core/clock.ts';
import { createCounters, type OperatorCounts } from '../core/counters.ts';
import type { Sink } from '../core/to-sink.ts';
import type { Row } from '../rows/row.ts';

/** What is told of the work of this process while it goes on. */
export interface Watching {
  row(row: Row): void;
  figures(worker: string, at: number, operators: readonly OperatorCounts[], hasEnded?: boolean): void;
}

/** Kinds of rows that a page shows as rollouts. */
const shownKinds = ['rollouts', 'graded', 'traces', 'graded_traces'];
const everyMs = 500;

/** Show a run on the page that watches, where one does: its rows once they are written, and its counts twice a second. */
export function shown(sinks: Readonly<Record<string, Sink<never>>>, watching: Watching | undefined) {
  const counters = createCounters();
  if (!watching) return { sinks, counters, end: () => {} };
  const worker = `run ${++runs}`;
  const timer = setInterval(() => watching.figures(worker, systemClock(), counters.snapshot()), everyMs);
  const told = Object.entries(sinks).map(([kind, sink]) => [
    kind,
    shownKinds.includes(kind) ? alsoShown(sink as Sink<Row>, watching) : sink,
  ]);
  return {
    sinks: Object.fromEntries(told) as typeof sinks,
    counters,
    end(): void {
      clearInterval(timer);
      watching.figures(worker, systemClock(), counters.snapshot(), true);
    },
  };
}

let runs = 0;

function alsoShown(sink: Sink<Row>, watching: Watching): Sink<Row> {
  return {
    ...sink,
    async write(rows, origins) {
      await sink.write(rows, origins);
      rows.forEach(watching.row);
    },
  };
}
