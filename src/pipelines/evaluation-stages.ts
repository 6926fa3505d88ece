import { lastValueFrom, mergeMap, tap } from 'rxjs';
import type { Follow } from '../core/define-join.ts';
import { TracemillError } from '../core/errors.ts';
import { createFlow } from '../core/flow.ts';
import type { Context } from '../core/operator.ts';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { dropContaminated } from '../operators/drop-contaminated.ts';
import { retractContaminated } from '../operators/retract-contaminated.ts';
import { type Retraction, retractionSchema } from '../rows/retraction.ts';
import { isReplaced } from '../rows/revision.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { rowsSource } from '../sources/rows.ts';
import { rowIdentity } from './row-identity.ts';

/**
 * Keep `selected` rows away from an evaluation: what repeats none of it goes on as `clean`. An evaluation on its topic may
 * grow at any time, and takes back on `retractions` what it contaminates. Each side is in its topic before it is compared
 * with all that the other topic holds, so one of the two meets the other, whatever the order and however many processes:
 * `clean` without `retractions` ends as a batch that knew all would.
 */
export function evaluationStages(evaluation: 'topic' | readonly string[]): readonly AnyStage[] {
  const files = evaluation === 'topic' ? undefined : followFiles(evaluation);
  const guard = defineStage<Row, Row>({
    name: 'guard',
    from: 'selected',
    to: 'clean',
    reads: rowSchema,
    writes: rowSchema,
    ...rowIdentity,
    per: 'record',
    ...(files ? {} : { follows: { kind: 'evaluation', schema: rowSchema as never } }),
    operator: ({ follow }) => dropContaminated({}, { follow: files ?? follow }),
  });
  if (files) return [guard];
  const retract = defineStage<Row, Retraction>({
    name: 'retract',
    from: 'evaluation',
    to: 'retractions',
    reads: rowSchema,
    writes: retractionSchema,
    key: ({ task_id }) => task_id,
    id: ({ row_id }) => row_id,
    per: 'record',
    follows: { kind: 'selected', schema: rowSchema as never },
    operator: ({ follow }) => retractContaminated({}, { follow }),
  });
  return [guard, retract];
}

/** An evaluation in files: read once, before the first row is decided. */
function followFiles(paths: readonly string[]): Follow<Row> {
  return (see) => {
    let read: Promise<void> | undefined;
    return {
      async caughtUp() {
        read ??= readAll(paths, see);
        await read;
      },
    };
  };
}

async function readAll(paths: readonly string[], see: (row: Row) => void): Promise<void> {
  const context: Context = {
    reject: ({ receipt }, _by, reason) => {
      if (isReplaced(reason)) return receipt.done();
      throw new TracemillError('TM_SOURCE', `evaluation: ${paths.join(', ')} holds what is no row (${reason})`);
    },
    count: () => {},
    tally: () => ({ in: 0, out: 0, inFlight: 0 }),
  };
  const all = rowsSource({ paths: [...paths] })({ flow: createFlow(Number.POSITIVE_INFINITY), context }).pipe(
    mergeMap(({ rows }) => rows),
    tap(({ row, receipt }) => {
      see(row);
      receipt.done();
    }),
  );
  await lastValueFrom(all, { defaultValue: undefined });
}
