import { z } from 'zod';

export const alarmKinds = ['divergence', 'drift', 'feature', 'length'] as const;

/**
 * What a monitor raises about a run. The same run, kind and step is the same alarm. `blind` is a notice: something could not
 * be watched at that evaluation; it stops nothing. Evidence stands beside the reason.
 */
export const alarmSchema = z.looseObject({
  type: z.literal('alarm'),
  run_id: z.string(),
  step: z.number(),
  kind: z.enum([...alarmKinds, 'blind']),
  reason: z.string(),
});

export type AlarmKind = (typeof alarmKinds)[number];
export type Alarm = Readonly<z.output<typeof alarmSchema>>;
