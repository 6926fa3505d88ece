import { z } from 'zod';
import { defineExpand } from '../core/define-expand.ts';
import type { Agreement } from '../judges/trust/agreement-fold.ts';
import { type DriftReport, driftWatch } from '../judges/trust/drift.ts';
import type { Row } from '../rows/row.ts';

const options = z.strictObject({
  window: z.int().min(1).default(100).describe('Labelled verdicts that agreement is measured over.'),
  every: z.int().min(1).default(20).describe('Labelled verdicts between two reports.'),
  minAgreement: z.number().min(0).max(1).default(0.8).describe('An interval that lies under it has drifted.'),
  minKappa: z.number().min(-1).max(1).default(0.6).describe('Kappa that falls under it has drifted.'),
});

const row = (n: number): Row => ({
  scenario_id: `t${n % 5}`,
  reward: n % 2,
  gold_reward: n % 2,
  gold_kind: 'human',
  judge_name: 'j',
});

const agreed = (tp: number, tn: number): Agreement => ({
  n: 1,
  n_tasks: 1,
  n_skipped: 0,
  agreement: 1,
  ci95: null,
  kappa: 1,
  ac1: 1,
  confusion: { tp, fp: 0, fn: 0, tn },
});
const report = (at: number, now: Agreement): DriftReport => ({
  type: 'agreement',
  judge: 'j',
  judge_version: '',
  at,
  now,
  first: agreed(0, 1),
  drifted: [],
  reason: 'agreement 1, kappa 1 on 1 labels',
});

/**
 * Watch judges while they grade: of each judge version, agreement with gold labels and kappa over the last `window` labelled
 * verdicts, and an alarm when they fall under their floors or under what that version began with. Rows without a label or a
 * verdict of 0 or 1 are read and say nothing. Memory: two windows a judge version.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source rlhfbook ch. 5; Korn & Graubard 1998 (the interval over tasks); house rule for the alarm
 */
export const watchJudges = defineExpand<Row, DriftReport, typeof options>({
  name: 'watch-judges',
  options,
  core: driftWatch,
  example: {
    options: { window: 1, every: 1 },
    in: [row(0), row(1)],
    out: [report(1, agreed(0, 1)), report(2, agreed(1, 0))],
  },
});
