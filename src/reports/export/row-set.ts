import { stringifyJson } from '../../core/json.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { exportRow } from '../../rows/export-row.ts';
import type { ExportSet } from './export-set.ts';

/** Build a set of the rows themselves, without answer keys: what another run imports. Memory: none. */
export function rowSet(): ExportSet<JsonObject, JsonObject, { readonly n: number; readonly format: 'rows' }> {
  let n = 0;
  return {
    entry: (row) => exportRow(row),
    add: () => void n++,
    end: () => ({
      refusal: undefined,
      report: { n, format: 'rows' as const },
      linesOf: (row) => [`${stringifyJson(row)}\n`],
      leftBecause: () => undefined,
    }),
  };
}
