import { isObject } from '../../core/json-object.ts';
import { latestRevisions } from '../../rows/revision.ts';
import type { Row } from '../../rows/row.ts';
import { traceRow } from '../../rows/trace-row.ts';
import { importFiles } from './import-files.ts';

/**
 * Load traces as rows: of a list as they are, of a file by the format its content shows. Entries that are no trace are
 * left out; `traceReport` counts them. So are revisions that a later one replaces or takes back. For streams use `filesSource`: this holds all rows.
 *
 * @throws TM_SOURCE - the file is missing, empty, or of no known format
 */
export async function loadTraces(source: string | readonly unknown[]): Promise<Row[]> {
  if (typeof source !== 'string')
    return latestRevisions(source.filter(isObject))
      .map(traceRow)
      .filter((row) => row !== undefined);
  const rows: Row[] = [];
  for await (const found of importFiles({ paths: [source] })) if (found.kind === 'row') rows.push(found.row);
  return latestRevisions(rows);
}
