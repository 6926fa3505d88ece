import { TracemillError } from '../core/errors.ts';
import type { Ask } from '../rows/ask.ts';
import type { Row } from '../rows/row.ts';
import { behaviorTier } from './tiers.ts';
import { askId } from './wording/write-ask.ts';

export interface PinnedTasks {
  /** One ask for each distinct prompt, in the order in which they were first seen, with rollout index 0. */
  readonly tasks: readonly Ask[];
  /** Rollouts a prompt gets: as asked, else the most that any prompt had in the source. */
  readonly repeats: number;
}

const carried = ['scenario_dimensions', 'faults', 'world_state', 'stance', 'privileged', 'opener', 'opening'] as const;

/**
 * Take the task set of an earlier run: the same prompts, cells, faults and worlds, nothing else drawn.
 * Memory: the distinct prompts.
 *
 * @throws TM_OPTIONS - there is no row, or one has no prompt
 */
export function pinTasks(
  rows: Iterable<Row>,
  run: { readonly seed: number; readonly repeats?: number | undefined },
): PinnedTasks {
  const counts = new Map<string, number>();
  const tasks: Ask[] = [];
  let at = 0;
  for (const row of rows) {
    const { prompt } = row;
    if (typeof prompt !== 'string' || prompt.trim() === '')
      throw new TracemillError('TM_OPTIONS', `tasks: row ${at} has no prompt`);
    at++;
    const known = counts.get(prompt) ?? 0;
    counts.set(prompt, known + 1);
    if (known === 0) tasks.push(pinned(row, prompt, run.seed));
  }
  if (tasks.length === 0) throw new TracemillError('TM_OPTIONS', 'tasks: the list is empty; name a run with rows');
  return { tasks, repeats: run.repeats ?? Math.max(...counts.values()) };
}

function pinned(row: Row, prompt: string, seed: number): Ask {
  const id = row.scenario_id ?? row.task_id;
  const scenario_id = typeof id === 'string' && id !== '' ? id : `task-${askId('', prompt, 0).slice(4)}`;
  const kept = Object.fromEntries(
    carried.filter((key) => row[key] !== undefined && row[key] !== null).map((key) => [key, row[key]]),
  );
  const stance = typeof row['stance'] === 'string' ? row['stance'] : undefined;
  return {
    ask_id: askId(scenario_id, prompt, seed),
    scenario_id,
    prompt,
    seed,
    rollout_index: 0,
    arm: typeof row['arm'] === 'string' ? row['arm'] : 'structured',
    selection_reason: 'pinned',
    writer_model: typeof row['writer_model'] === 'string' ? row['writer_model'] : 'pinned',
    tier: typeof row['tier'] === 'string' ? row['tier'] : behaviorTier(stance),
    ...kept,
    lineage: { replayed: true },
  };
}

/** Play a task set: every task its repeats, the whole set `runs` times, each run marked in its lineage. */
export function* askSchedule({ tasks, repeats }: PinnedTasks, runs = 1): Generator<Ask> {
  for (let run = 0; run < runs; run++)
    for (const task of tasks)
      for (let index = 0; index < repeats; index++)
        yield runs === 1
          ? { ...task, rollout_index: index }
          : { ...task, rollout_index: index, lineage: { ...task.lineage, eval_run: run } };
}
