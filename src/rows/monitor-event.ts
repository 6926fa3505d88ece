import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { alarmSchema } from './alarm.ts';
import { historyEntrySchema } from './history-entry.ts';
import { loggedNumberSchema } from './logged-number.ts';

const ofRun = { run_id: z.string().min(1) };
const message = z.looseObject({ content: z.unknown() });
const spoken = z.union([z.string(), z.array(message).readonly()]);

/** Completions that a trainer scored, with the name of the reward that scored them. */
export const scoredSchema = z.looseObject({
  type: z.literal('scored'),
  ...ofRun,
  name: z.string().default('reward'),
  prompts: z.array(spoken).readonly(),
  completions: z.array(spoken).readonly(),
  rewards: z.array(z.unknown()).readonly(),
});

/** A completion of a held-out ask, scored with the training reward and with one that training cannot see. */
export const sampledSchema = z.looseObject({
  text: z.string(),
  proxy: loggedNumberSchema,
  /** Null or absent: not judged. */
  gold: z.unknown().optional(),
});

/** What a training run tells its monitor; its own answers given back rebuild what it knew. */
export const monitorEventSchema = z.discriminatedUnion('type', [
  scoredSchema,
  z.looseObject({ type: z.literal('log'), ...ofRun, step: z.number(), kl: loggedNumberSchema.optional() }),
  z.looseObject({
    type: z.literal('eval'),
    ...ofRun,
    step: z.number(),
    /** The completions of each held-out ask, in the order of the asks. */
    groups: z.array(z.array(sampledSchema).readonly()).readonly(),
    /** The asks, where they are told. */
    prompts: z.array(spoken).readonly().optional(),
  }),
  z.looseObject({ type: z.literal('end'), ...ofRun }),
  historyEntrySchema,
  alarmSchema,
]);

export type Sampled = Readonly<z.output<typeof sampledSchema>>;
export type Scored = Readonly<z.input<typeof scoredSchema>>;
export type MonitorEvent = Readonly<z.input<typeof monitorEventSchema>>;

/**
 * Read an event, and fill what a trainer left out.
 *
 * @throws TM_ROW - it is no event; the message says where
 */
export function readMonitorEvent(given: MonitorEvent): z.output<typeof monitorEventSchema> {
  const read = monitorEventSchema.safeParse(given);
  if (read.success) return read.data;
  throw new TracemillError('TM_ROW', `hackMonitor: ${z.prettifyError(read.error)}`);
}
