import { z } from 'zod';

/** A set of tasks and their splits. A task may be held out of one set and in the training split of another. */
export const datasetSchema = z.looseObject({
  dataset_id: z.string(),
  spec_id: z.string().optional(),
  splits: z.record(z.string(), z.array(z.string())).optional().describe('Task ids by split name.'),
});

export type Dataset = Readonly<z.output<typeof datasetSchema>>;
