import { z } from 'zod';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { bandChanges } from '../operators/band-changes.ts';
import { type BandChange, bandChangeSchema } from '../rows/band-change.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { rowsSource } from '../sources/rows.ts';
import { definePipeline } from './pipeline.ts';
import { rowIdentity } from './row-identity.ts';

const { lo, hi, truncated, allowUnjudged, minRollouts, k, maxIdleMs, maxParked } = bandChanges.spec.options.shape;
const options = z.strictObject({ lo, hi, truncated, allowUnjudged, minRollouts, k, maxIdleMs, maxParked });

/** Graded rollouts in, the changelog of the band out: which task entered it and which left. All of a task meets in one place. */
export function bandStages(given: z.input<typeof options>): readonly AnyStage[] {
  return [
    defineStage<Row, BandChange>({
      name: 'band-changes',
      from: 'graded',
      to: 'band_changes',
      reads: rowSchema,
      writes: bandChangeSchema,
      key: ({ task_id }) => task_id,
      id: ({ task_id, change, cause }) => `${task_id}#${change}#${cause}`,
      per: 'task',
      operator: () => bandChanges(given),
    }),
  ];
}

/** The band by its name: graded rows of files or of a topic in. */
export const bandPipeline = definePipeline({
  name: 'band',
  summary: 'Tell which task enters the band of pass rates that train, and which leaves it, as graded rollouts come.',
  options,
  example: {},
  open: (given, { files }) => ({
    stages: bandStages(given),
    source: files && rowsSource({ paths: [...files] }),
    input: rowIdentity,
    out: 'band_changes',
  }),
});
