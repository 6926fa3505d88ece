import { TracemillError } from '../core/errors.ts';
import type { Sink } from '../core/to-sink.ts';

/**
 * Write rows as lines to the standard output, as fast as its reader takes them.
 *
 * @throws TM_SINK - `closed_output`: the reader went away
 */
export function standardOutput<Row>(lineOf: (row: Row) => string): Sink<Row> {
  const output = process.stdout;
  const ignore = (): void => {}; // each write reports its own error
  output.on('error', ignore);
  return {
    write: (rows) =>
      new Promise((resolve, reject) => {
        output.write(rows.map(lineOf).join(''), (cause) => {
          if (!cause) resolve();
          else reject(new TracemillError('TM_SINK', 'the output is closed', { cause, reason: 'closed_output' }));
        });
      }),
    close: async () => void output.off('error', ignore),
  };
}
