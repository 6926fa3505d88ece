import { rowKey, taskKey } from '../../../src/rows/task-key.ts';
import type { Adapters } from '../run-case.ts';

interface OneRow {
  readonly row: Readonly<Record<string, unknown>>;
}

/** Statistics and the reports over them. */
export const adapters: Adapters = {
  taskKey: ({ row }: OneRow) => ({ key: taskKey(row) }),
  rowKey: ({ row }: OneRow) => ({ key: rowKey(row) }),
};
