import { z } from 'zod';
import { operatorCountsSchema } from '../core/counters.ts';

/** What a process that runs parts of a pipeline does at a moment, and how it ended. One that is killed says nothing more: `at` grows old. */
export const workerFiguresSchema = z.looseObject({
  worker: z.string().describe('Host and process.'),
  pipeline: z.string(),
  at: z.iso.datetime(),
  state: z.enum(['running', 'stopped', 'failed']),
  reason: z.string().optional().describe('Why it failed.'),
  operators: z.array(operatorCountsSchema).readonly(),
});

export type WorkerFigures = Readonly<z.output<typeof workerFiguresSchema>>;
