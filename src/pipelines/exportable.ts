import { compose } from '../core/compose.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { dropRedelivered } from '../operators/drop-redelivered.ts';
import { dropUnreadableCalls } from '../operators/drop-unreadable-calls.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { rowIdentity } from './row-identity.ts';

/** Rows in, each once, those that a training file can hold out: one bad row does not keep a file from being written. */
export const exportableStage = (): AnyStage =>
  defineStage<Row, Row>({
    name: 'exportable',
    from: 'selected',
    to: 'exportable',
    reads: rowSchema,
    writes: rowSchema,
    ...rowIdentity,
    per: 'record',
    operator: () => compose(dropRedelivered({}), dropUnreadableCalls({})),
  });
