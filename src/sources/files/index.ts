import { filter, map } from 'rxjs';
import type { z } from 'zod';
import { isObject } from '../../core/json-object.ts';
import { parseOptions, type Tracked } from '../../core/operator.ts';
import { pull, type Source } from '../../core/source.ts';
import type { HubAccess } from '../../dialects/hub.ts';
import type { Row } from '../../rows/row.ts';
import { fileOptions, type Imported, importFiles } from './import-files.ts';

export { type Imported, importFiles } from './import-files.ts';
export { loadTraces } from './load-traces.ts';

/**
 * Read the rows of files of any known format. Tools, tasks, labels, pairs and policies found on the way are counted by
 * their kind and told to `found`; they are no rows.
 *
 * @rejects invalid_json, invalid_utf8, invalid_record, invalid_row, empty_conversation, empty_row, unknown_format, unnamed_text, empty_file, error
 * @throws TM_OPTIONS - when built, if an option is wrong
 * @throws TM_SOURCE - a named file is missing, empty, or of no known format
 */
export function filesSource(
  config: z.input<typeof fileOptions>,
  found: (finding: Exclude<Imported, { readonly kind: 'row' | 'rejected' }>) => void = () => {},
  hub: HubAccess = {},
): Source<Row> {
  const parsed = parseOptions('files', fileOptions, config);
  return (run) =>
    pull(importFiles(parsed, hub))(run).pipe(
      map(({ rows, lost }) => ({
        rows: rows.pipe(
          map(({ row: finding, receipt }): Tracked<Row> | undefined => {
            if (finding.kind === 'row') return { row: finding.row, receipt };
            if (finding.kind === 'rejected')
              run.context.reject(
                { row: finding, receipt },
                'files',
                finding.reason,
                messageOf(finding.record) ?? placeOf(finding),
              );
            else {
              run.context.count('files', finding.kind);
              found(finding);
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

/** What a reader of files says of a whole file. */
const messageOf = (record: unknown): string | undefined =>
  isObject(record) && typeof record['path'] === 'string' && typeof record['message'] === 'string'
    ? record['message']
    : undefined;

/** Where a rejected record stood and what it was read as; undefined when nothing is known. */
function placeOf({ file, line, tried, reason }: Extract<Imported, { readonly kind: 'rejected' }>): string | undefined {
  if (line === undefined && tried === undefined) return undefined;
  const place = line === undefined ? file : `${file}:${line}`;
  return `${place}: ${tried === undefined ? reason.replaceAll('_', ' ') : `read as ${tried.join(', then as ')}`}`;
}
