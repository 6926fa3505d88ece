import type { z } from 'zod';
import { compose } from '../core/compose.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { dropRedelivered } from '../operators/drop-redelivered.ts';
import { redact } from '../operators/redact.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { filesSource } from '../sources/files/index.ts';
import { definePipeline } from './pipeline.ts';
import { rowIdentity } from './row-identity.ts';

/** Rows of other stacks in, rows without secrets out. */
export function ingestStages(options: z.input<typeof redact.spec.options>): readonly AnyStage[] {
  return [
    defineStage<Row, Row>({
      name: 'redact',
      from: 'imported',
      to: 'traces',
      reads: rowSchema,
      writes: rowSchema,
      ...rowIdentity,
      per: 'record',
      operator: () => compose(dropRedelivered({}), redact(options)),
    }),
  ];
}

/** Import by its name: files of any known format in. */
export const ingestPipeline = definePipeline({
  name: 'ingest',
  summary: 'Read files of other stacks as rows, without their secrets.',
  options: redact.spec.options,
  example: { salt: 'a secret of yours' },
  open: (options, { files }) => ({
    stages: ingestStages(options),
    source: files && filesSource({ paths: [...files] }),
    input: rowIdentity,
    out: 'traces',
  }),
});
