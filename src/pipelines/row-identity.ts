import { deliveryKey } from '../rows/delivery-key.ts';
import type { Row } from '../rows/row.ts';
import { rowKey, taskKey } from '../rows/task-key.ts';

/** How every stage that writes rows places them and tells them apart: all of a task meet in one place. */
export const rowIdentity = {
  key: taskKey,
  id: (row: Row): string => deliveryKey(row) ?? rowKey(row),
} as const;
