/** Rows of text as aligned columns; columns whose every cell below the head is a number are aligned right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
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
