import { z } from 'zod';

export const alarmKinds = ['divergence', 'drift', 'feature', 'length'] as const;

/**
 * What a monitor raises about a run, once by `alarmId`. `blind` is a notice: something could not
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

/** Identity of an alarm: its run, kind and step, and what it is about where one evaluation may raise several of a kind. */
export function alarmId({ run_id, kind, step, what, reward_name }: Alarm): string {
  const about = [what, reward_name].find((one) => typeof one === 'string');
  return `${run_id}#${kind}#${step}${about === undefined ? '' : `#${about}`}`;
}
