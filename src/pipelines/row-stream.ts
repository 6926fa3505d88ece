import { Observable } from 'rxjs';
import type { Hooks, Rejection } from '../core/operator.ts';
import type { Source } from '../core/source.ts';
import type { AnyStage } from '../core/stage.ts';
import { inMemory } from './in-memory.ts';

interface RowStream {
  readonly stages: readonly AnyStage[];
  readonly source: Source<unknown>;
  /** Kind of the rows wanted: any that the stages write. */
  readonly kind: string;
  readonly maxInFlight?: number;
  readonly hooks?: Hooks;
  /** Told of every row that is not kept. */
  readonly rejected?: (rejection: Rejection<unknown>) => void;
}

/** Run stages in this process and see the rows of one kind as they are made. The run ends with the subscription. */
export function rowStream<Row>({ kind, rejected = () => {}, ...run }: RowStream): Observable<Row> {
  return new Observable((subscriber) => {
    const to = (tell: (row: never) => void) => ({
      write: async (rows: readonly never[]) => rows.forEach(tell),
      close: async () => {},
    });
    const sinks = { [kind]: to((row) => subscriber.next(row)) };
    return inMemory(run.stages, { ...run, sinks, rejected: to(rejected) }).subscribe({
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
  });
}
