import { z } from 'zod';
import { compose } from '../core/compose.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { dropRedelivered } from '../operators/drop-redelivered.ts';
import { keepForRl } from '../operators/keep-for-rl.ts';
import { keepForSft } from '../operators/keep-for-sft.ts';
import type { Account } from '../reports/select/account.ts';
import type { RlReport } from '../reports/select/rl-report.ts';
import { selectForRl } from '../reports/select/select-for-rl.ts';
import type { SftReport } from '../reports/select/sft-report.ts';
import type { TaskRate } from '../reports/select/task-rates.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { rowsSource } from '../sources/rows.ts';
import { definePipeline } from './pipeline.ts';
import { rowIdentity } from './row-identity.ts';

/** What training the rows are for, and the options of its rule. */
export type SelectOptions =
  | { readonly mode: 'rl'; readonly options?: z.input<typeof keepForRl.spec.options> }
  | { readonly mode: 'sft'; readonly options?: z.input<typeof keepForSft.spec.options> };

/** What was selected, and for RL the pass rates that tasks were judged by. */
type Selected = Account<Row, RlReport | SftReport> & { readonly rates?: ReadonlyMap<string, TaskRate> };

interface SelectPorts {
  /** Told once what was selected and why, before any row goes on. */
  readonly told?: (account: Selected) => void;
}

/** Graded rows in, the rows that train out. */
export function selectStages({ mode, options = {} }: SelectOptions, ports: SelectPorts = {}): readonly AnyStage[] {
  if (mode === 'rl') selectForRl([], options); // a band that is upside down is a wrong call, before any row
  const keep = mode === 'rl' ? keepForRl(options, ports) : keepForSft(options, ports);
  return [
    defineStage<Row, Row>({
      name: 'select',
      from: 'graded',
      to: 'selected',
      reads: rowSchema,
      writes: rowSchema,
      ...rowIdentity,
      per: 'run',
      operator: () => compose(dropRedelivered({}), keep),
    }),
  ];
}

/** Selection by its name: graded rows of files in. It decides over all rows, so it runs in memory only. */
export const selectPipeline = definePipeline({
  name: 'select',
  summary: 'Keep the rows that train, decided over all rows.',
  options: z.strictObject({
    mode: z.enum(['rl', 'sft']).describe('What the rows are for.'),
    rule: z.record(z.string(), z.unknown()).default({}).describe('Options of `keepForRl` or `keepForSft`.'),
  }),
  example: { mode: 'rl' },
  open: ({ mode, rule }, { files }) => ({
    stages: selectStages({ mode, options: rule }),
    source: files && rowsSource({ paths: [...files] }),
    input: rowIdentity,
    out: 'selected',
  }),
});
