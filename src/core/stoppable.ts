import { defer, fromEvent, map, of, takeUntil } from 'rxjs';
import type { Source } from './source.ts';

/** A source that ends in order when `stop` aborts: it gives no more rows, and those that move are finished. */
export function stoppable<Row>(source: Source<Row>, stop: AbortSignal): Source<Row> {
  const stopped = defer(() => (stop.aborted ? of(undefined) : fromEvent(stop, 'abort'))); // it may have stopped before it began
  return (run) =>
    source(run).pipe(
      map(({ rows, lost }) => ({ rows: rows.pipe(takeUntil(stopped)), lost })),
      takeUntil(stopped),
    );
}
