import { fileBytes } from '../core/file-bytes.ts';
import { parseJson, stringifyJson } from '../core/json.ts';
import { splitLines } from '../core/lines.ts';
import type { Row } from '../rows/row.ts';
import { openLineFile } from './line-file.ts';

const longestLine = 2 ** 26;

/**
 * Write fields onto some rows of a file: the file is replaced whole, or stays as it was. Memory: one block of lines.
 *
 * @throws TM_SINK - it cannot be written
 */
export async function markRows(
  path: string,
  isMarked: (row: Row) => boolean,
  fields: Readonly<Record<string, unknown>> | ((row: Row) => Readonly<Record<string, unknown>>),
): Promise<void> {
  const file = await openLineFile(path, { isReplaced: true, isPrivate: false });
  try {
    let block = '';
    const lines = splitLines(fileBytes(path), longestLine);
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const row = parseJson(next.value.text) as Row; // our own sink wrote it
      const more = typeof fields === 'function' ? fields(row) : fields;
      block += `${isMarked(row) ? stringifyJson({ ...row, ...more }) : next.value.text}\n`;
      if (block.length < 1 << 20) continue;
      await file.append(block);
      block = '';
    }
    await file.append(block);
    await file.finish();
  } finally {
    await file.close();
  }
}
