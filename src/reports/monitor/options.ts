import { z } from 'zod';
import { alarmKinds } from '../../rows/alarm.ts';

const atLeastOne = (value: number): number => Math.max(1, value);

export const monitorOptions = {
  every: z.int().default(10).transform(atLeastOne).describe('Steps between evaluations; 1 at least.'),
  k: z.int().default(4).transform(atLeastOne).describe('Completions of an ask; 1 at least.'),
  window: z.int().default(3).transform(atLeastOne).describe('Evaluations looked back; 1 at least.'),
  delta: z.number().default(0.1).describe('Gain of the proxy over the window that counts as climbing.'),
  lengthPct: z.number().default(0.25).describe('Relative growth of the mean length over the window that is an alarm.'),
  klBudget: z.number().nullable().default(null).describe('KL beyond which the policy drifts; null watches none.'),
  endorsed: z.array(z.string()).default([]).describe('What the reward should pay for: parts of feature names.'),
  stopOn: z
    .array(z.enum([...alarmKinds, 'any']))
    .default([])
    .describe('Alarms that stop the run.'),
  buffer: z.int().min(0).default(512).describe('Scored completions kept for each reward; 0 scans no features.'),
  divergenceRule: z
    .enum(['significant', 'threshold'])
    .default('significant')
    .describe('`significant`: the gains must also be no chance. `threshold`: `delta` alone, which noise passes.'),
  plannedEvals: z
    .int()
    .min(1)
    .default(100)
    .describe('Evaluations over which the 5 % of false alarms are spent, evenly.'),
  nPerm: z.int().min(1).default(50).describe('Shuffles behind the floor of the feature scan.'),
  scanMin: z.int().min(1).default(8).describe('Scored completions from which features are scanned.'),
  seed: z.int().default(0).describe('Fixes every random draw.'),
};

export const monitorOptionsSchema = z.strictObject(monitorOptions);
export type MonitorSettings = z.output<typeof monitorOptionsSchema>;
