import type { z } from 'zod';
import { type AnyStage, defineStage } from '../core/stage.ts';
import { group } from '../operators/group.ts';
import { deliveryId } from '../rows/delivery-key.ts';
import { type Group, groupSchema } from '../rows/group.ts';
import { type Row, rowSchema } from '../rows/row.ts';

/** Gather the graded rollouts of each task. What is a group already is told by its topic, and by the rows that it names. */
export const groupStage = (settings: z.input<typeof group.spec.options>): AnyStage =>
  defineStage<Row, Group>({
    name: 'group',
    from: 'graded',
    to: 'groups',
    reads: rowSchema,
    writes: groupSchema,
    key: ({ task_id }) => task_id,
    id: ({ group_id }) => group_id,
    members: ({ rollouts }) => rollouts.map(deliveryId),
    per: 'task',
    operator: (windows) => group(settings, windows),
  });
