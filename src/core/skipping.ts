import { filter, map } from 'rxjs';
import type { Source } from './source.ts';

/** Leave out the rows of a source that an earlier run has done. They are counted as `resumed`. */
export function skipping<Row>(source: Source<Row>, isDone: (row: Row) => boolean): Source<Row> {
  return (run) =>
    source(run).pipe(
      map(({ rows, lost }) => ({
        lost,
        rows: rows.pipe(
          filter(({ row, receipt }) => {
            if (!isDone(row)) return true;
            run.context.count('source', 'resumed');
            receipt.done();
            return false;
          }),
        ),
      })),
    );
}
