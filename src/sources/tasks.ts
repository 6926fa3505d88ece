import { z } from 'zod';
import { parseOptions } from '../core/operator.ts';
import { pull, type Source } from '../core/source.ts';
import { askSchedule, pinTasks } from '../grid/pinned-tasks.ts';
import type { Ask } from '../rows/ask.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  repeats: z.int().min(1).optional().describe('Rollouts of a prompt; without it the most that any prompt had.'),
  runs: z.int().min(1).default(1).describe('How often the whole set is played; each run is marked `lineage.eval_run`.'),
  seed: z.int().default(0).describe('Seed of the run.'),
});

/**
 * Give the tasks of an earlier run again: same prompts, cells, faults and worlds.
 * Memory: the distinct prompts.
 *
 * @throws TM_OPTIONS - there is no row, one has no prompt, or an option is unknown or out of range
 */
export function tasksSource(rows: Iterable<Row>, config: z.input<typeof options> = {}): Source<Ask> {
  const { runs, ...run } = parseOptions('tasks', options, config);
  const pinned = pinTasks(rows, run);
  return pull({ [Symbol.iterator]: () => askSchedule(pinned, runs) });
}
