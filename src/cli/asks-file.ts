import type { Row } from '../rows/row.ts';
import { rowsSource } from '../sources/rows.ts';
import type { Io } from './io.ts';
import { readInput } from './read-inputs.ts';
import type { RejectionCount } from './rejections.ts';
import { readRows, rowsOf } from './run-rows.ts';

/** Read what is to be asked: rows of a .jsonl file, with their answer keys, or one ask a line of any other. */
export async function readAsks(
  path: string,
  io: Io,
): Promise<{ readonly asks: readonly Row[]; readonly unreadable: readonly RejectionCount[] }> {
  if (!/\.jsonl(\.gz)?$/.test(path)) {
    const lines = (await readInput(path, 'asks')).split('\n').map((line) => line.trim());
    return { asks: lines.filter((line) => line !== '').map((prompt) => ({ prompt })), unreadable: [] };
  }
  const rows: Row[] = [];
  const { rejected } = await readRows(io, {
    source: rowsSource({ paths: [path] }),
    each: (row) => rows.push(row),
    words: (now) => `asks: ${rowsOf(now, 'source', 'out')} rows`,
  });
  return { asks: rows, unreadable: rejected };
}
