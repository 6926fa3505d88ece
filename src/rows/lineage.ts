import { z } from 'zod';

/** Where a task came from. */
export const lineageSchema = z.looseObject({
  parent_task_id: z.string().nullish(),
  transform: z.string().nullish(),
  seed: z.int().nullish(),
});

export type Lineage = Readonly<z.output<typeof lineageSchema>>;
