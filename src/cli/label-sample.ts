import { draws } from '../core/draws.ts';
import type { Row } from '../rows/row.ts';
import { episodeKey, hasRowName, rowKey, taskKey } from '../rows/task-key.ts';

interface Wanted {
  readonly n: number;
  readonly seed: number;
  /** Keys of the rows that have a label. */
  readonly labelled: ReadonlySet<string>;
  readonly keyOf: (row: Row) => string;
}

/**
 * Name the rows of a file for their labels: by row key; rows that share one and have no name of their own by all that was
 * said and done in them.
 */
export function labelKeys(rows: readonly Row[]): (row: Row) => string {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(rowKey(row), (counts.get(rowKey(row)) ?? 0) + 1);
  return (row) => (!hasRowName(row) && (counts.get(rowKey(row)) ?? 0) > 1 ? episodeKey(row) : rowKey(row));
}

/**
 * Choose the rows to label: as many that the judge passed as failed, as long as there are both, each task before any task
 * twice, none that has a label, and of rows that are word for word the same only one. The same seed chooses the same rows.
 * Rows without a verdict come last.
 */
export function labelSample(rows: readonly Row[], { n, seed, labelled, keyOf }: Wanted): readonly Row[] {
  const seen = new Set(labelled);
  const open = draws(seed, 'label sample')
    .shuffle([...rows])
    .filter((row) => seen.size < seen.add(keyOf(row)).size);
  const spread = byTurns(open);
  const [passed, failed] = [spread.filter(({ reward }) => reward === 1), spread.filter(({ reward }) => reward === 0)];
  const rest = spread.filter(({ reward }) => reward !== 1 && reward !== 0);
  const chosen: Row[] = [];
  for (let at = 0; at < Math.max(passed.length, failed.length); at++)
    for (const side of [passed, failed]) chosen.push(...side.slice(at, at + 1));
  return [...chosen, ...rest].slice(0, n);
}

/** One row of each task, then the second of each, and so on. */
function byTurns(rows: readonly Row[]): Row[] {
  const seen = new Map<string, number>();
  const turns = rows.map((row) => {
    const turn = seen.get(taskKey(row)) ?? 0;
    seen.set(taskKey(row), turn + 1);
    return { row, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn).map(({ row }) => row);
}
