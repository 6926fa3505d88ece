import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

/** The world a task is played in: its state, what fails, and what its answers look like. */
export const worldSettingSchema = z.looseObject({
  seed: z.union([z.number(), z.bigint()]).nullish(),
  state: z.string().nullish(),
  faults: object.optional(),
  exemplars: object.optional(),
});

export type WorldSetting = Readonly<z.output<typeof worldSettingSchema>>;
