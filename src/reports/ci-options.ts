import { z } from 'zod';

/** Options of every report that puts an interval around a mean over tasks. */
export const ciOptions = {
  ciMethod: z
    .enum(['cluster_wilson', 'percentile'])
    .default('cluster_wilson')
    .describe('How the 95 % interval is made. The percentile bootstrap is too narrow under 50 tasks.'),
  nBoot: z.int().min(100).default(2000).describe('Resamples of the percentile bootstrap.'),
  seed: z.int().default(0).describe('Fixes every random draw of the report.'),
};
