import { draws } from '../core/draws.ts';
import type { Row } from '../rows/row.ts';
import { rowKey, taskKey } from '../rows/task-key.ts';

/**
 * Choose the rows to label: as many that the judge passed as failed, as long as there are both, each task before any task
 * twice, none that has a label. The same seed chooses the same rows. Rows without a verdict come last.
 */
export function labelSample(
  rows: readonly Row[],
  { n, seed, labelled }: { readonly n: number; readonly seed: number; readonly labelled: ReadonlySet<string> },
): readonly Row[] {
  const open = draws(seed, 'label sample').shuffle(rows.filter((row) => !labelled.has(rowKey(row))));
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
