import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { TracemillError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { fileBounds } from '../../dialects/bounds.ts';
import { cellValue } from '../../dialects/parquet/cells.ts';
import { tableNote, typesIn } from '../../dialects/parquet/table-notes.ts';

/** How the file begins. */
export const parquetMark = 'PAR1';

const stepRows = 1000;
/** A page of a column is about a megabyte; one that unpacks to a whole document's bytes is no page. */
const maxOutputLength = fileBounds.document;
const compressors = {
  GZIP: (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes, { maxOutputLength })),
  BROTLI: (bytes: Uint8Array) => new Uint8Array(brotliDecompressSync(bytes, { maxOutputLength })),
};
const decoder = new TextDecoder();
const parsers = { jsonFromBytes: (bytes: Uint8Array) => bytes && parseJson(decoder.decode(bytes)) };

/**
 * Read the rows of a Parquet file, in their order. Fields without a value are left out. Memory: 1000 rows.
 *
 * @throws TM_SOURCE - `not_parquet`: it is damaged, or compressed in a way that is not read (ZSTD, LZ4)
 */
export async function* parquetRows(path: string): AsyncGenerator<JsonObject> {
  const damaged = (cause: unknown): TracemillError =>
    new TracemillError('TM_SOURCE', `${path}: the Parquet file cannot be read`, { cause, reason: 'not_parquet' });
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const types = typesIn(metadata.key_value_metadata?.find(({ key }) => key === tableNote)?.value);
    const total = Number(metadata.num_rows);
    for (let rowStart = 0; rowStart < total; rowStart += stepRows) {
      const rowEnd = Math.min(total, rowStart + stepRows);
      const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors, parsers });
      for (const row of rows) yield rowOf(row, types);
    }
  } catch (cause) {
    throw damaged(cause);
  }
}

function rowOf(cells: JsonObject, types: ReturnType<typeof typesIn>): JsonObject {
  const fields = Object.entries(cells).map(([name, cell]) => [name, cellValue(cell, types.get(name))] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
