import { visible } from '../text/visible.ts';

/**
 * Rows of text as aligned columns; columns whose every cell below the head is a number are aligned right. Cells stay on
 * their line, whatever they hold.
 */
export function table(given: readonly string[], lines: readonly (readonly string[])[]): string {
  const [head = [], ...rows] = [given, ...lines].map((cells) => cells.map(onOneLine));
  const widths = head.map((title, n) => Math.max(title.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const isNumber = head.map(
    (_, n) => rows.length > 0 && rows.every((row) => /^[-+]?[\d,.]*%?$|^-$/.test(row[n] ?? '')),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, n) => (isNumber[n] ? cell.padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const onOneLine = (cell: string): string => visible(cell.replace(/[\n\t]/g, ' '));
