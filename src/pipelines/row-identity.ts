import { deliveryId } from '../rows/delivery-key.ts';
import { taskKey } from '../rows/task-key.ts';

/** How every stage that writes rows places them and tells them apart: all of a task meet in one place. */
export const rowIdentity = {
  key: taskKey,
  id: deliveryId,
} as const;
