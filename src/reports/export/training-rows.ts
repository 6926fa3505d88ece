import type { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { numericOf } from '../../rows/numeric.ts';
import { taskKey } from '../../rows/task-key.ts';
import { groupStamps } from './group-stamps.ts';
import { trainingOptions } from './training-options.ts';
import { trainingSamples } from './training-samples.ts';

/**
 * Make training samples of rows, on the OpenAI wire, with a loss mask and, when a task repeats, its group on each. The
 * answer key of a row never travels. Unrolled samples belong to no group.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 4, 6, 13
 */
export function trainingRows(
  rows: readonly JsonObject[],
  given: z.input<typeof trainingOptions> = {},
): readonly JsonObject[] {
  const options = parseOptions('trainingRows', trainingOptions, given);
  const samples = rows.flatMap((row) =>
    trainingSamples(row, options).samples.map((sample) => ({ task: taskKey(row), sample })),
  );
  const stamps = groupStamps();
  if (!options.unroll) for (const { task, sample } of samples) stamps.add(task, rewardOf(sample));
  return samples.map(({ task, sample }) => ({ ...sample, ...stamps.of(task) }));
}

/** The verdict of a sample as a number; undefined when there is none. */
export function rewardOf({ reward }: JsonObject): number | undefined {
  const number = numericOf(reward);
  return number !== undefined && Number.isFinite(number) ? number : undefined;
}
