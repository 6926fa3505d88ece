import { filter, map } from 'rxjs';
import type { z } from 'zod';
import { parseOptions, type Tracked } from '../../core/operator.ts';
import { pull, type Source } from '../../core/source.ts';
import type { Row } from '../../rows/row.ts';
import { fileOptions, importFiles } from './import-files.ts';

export { type Imported, importFiles } from './import-files.ts';
export { loadTraces } from './load-traces.ts';

/**
 * Read the rows of files of any known format. Tools, tasks, labels, pairs and policies found on the way are counted by
 * their kind and are no rows: `importFiles` gives them.
 *
 * @rejects invalid_json, invalid_utf8, invalid_record, invalid_row, empty_conversation, empty_row, unknown_format, empty_file, error
 * @throws TM_OPTIONS - when built, if an option is wrong
 * @throws TM_SOURCE - a named file is missing, empty, or of no known format
 */
export function filesSource(config: z.input<typeof fileOptions>): Source<Row> {
  const parsed = parseOptions('files', fileOptions, config);
  return (run) =>
    pull(importFiles(parsed))(run).pipe(
      map(({ rows, lost }) => ({
        rows: rows.pipe(
          map(({ row: found, receipt }): Tracked<Row> | undefined => {
            if (found.kind === 'row') return { row: found.row, receipt };
            if (found.kind === 'rejected') run.context.reject({ row: found, receipt }, 'files', found.reason);
            else {
              run.context.count('files', found.kind);
              receipt.done();
            }
            return undefined;
          }),
          filter((item) => item !== undefined),
        ),
        lost,
      })),
    );
}
