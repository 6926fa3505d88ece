import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import type { Remark } from '../../core/remarks.ts';
import { groupLabel } from '../../rows/label.ts';
import { inRowOrder } from '../../rows/row-order.ts';
import { splitHoldout } from '../../rows/split-holdout.ts';
import { groupSignal } from '../group-signal.ts';
import { checkBand, defaultBand } from '../select/band.ts';
import { stampRows } from '../select/calibrate.ts';
import { studentOptions } from '../select/student.ts';
import { byTask } from '../select/task-rates.ts';
import { decontaminate } from './decontaminate/index.ts';
import { dedupeGroups } from './dedupe-groups.ts';
import { hackScan } from './hack/hack-scan.ts';
import { hygieneRemarks } from './hygiene-remarks.ts';
import { leakReport } from './leak-report.ts';
import { lengthReport } from './length-report.ts';
import { nearDuplicatePrompts } from './near-duplicate-prompts.ts';
import { rewardCorrelations } from './reward-correlations.ts';

const rows = z.array(z.looseObject({}));
const options = z.strictObject({
  ...studentOptions,
  mode: z
    .string()
    .optional()
    .describe('What the set is for: `rl` is judged as groups, any other word never is. Left out: by its shape.'),
  band: z
    .tuple([z.number().min(0).max(1), z.number().min(0).max(1)])
    .optional()
    .describe('Lowest and highest pass rate to train on.'),
  strict: z.boolean().default(true).describe('Throw a refusal; false returns it in the report.'),
  endorsed: z.array(z.string()).default([]).describe('Features that the reward is meant to pay for.'),
  strictHacks: z.boolean().default(false).describe('Refuse a set whose reward pays for something else.'),
  against: rows.optional().describe('Evaluation rows that the set must not repeat.'),
  holdout: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe('Share of the tasks that is held out: the gate judges what is left.'),
});

/** Why a set must not be published. */
export type GateRefusal = 'ungraded_rl_rows' | 'no_mixed_groups' | 'reward_hack' | 'privileged_leak' | 'contaminated';

/**
 * Judge a set before it is published. Refused are groups without a grade or without contrast, replies that quote their answer
 * key, rows that repeat the evaluation in `against`, and with `strictHacks` a reward that pays for what is not endorsed. All
 * else is a warning. The rows come back with the difficulty of their task stamped, those held out left aside.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @throws TM_GATE - the set is refused and `strict` is on; `reason` is the refusal
 * @source DAPO (arXiv:2503.14476); rlhfbook ch. 6, 7, 14
 */
export function publishGate<R extends JsonObject>(given: readonly R[], config: z.input<typeof options> = {}) {
  const opts = parseOptions('publishGate', options, config);
  const [lo, hi] = opts.band ?? [defaultBand.lo, defaultBand.hi];
  checkBand('publishGate', { lo, hi });
  const { train, holdout } =
    opts.holdout === undefined ? { train: given, holdout: [] } : splitHoldout(given, { fraction: opts.holdout });
  const signal = groupSignal(train, { lo, hi });
  const stamped = stampRows(train, { policy: opts.policy, model: opts.model }, signal);
  const ordered = inRowOrder(train);
  const rl_shaped = opts.mode === undefined ? hasRepeats(train) : opts.mode.toLowerCase() === 'rl';
  const leaks = leakReport(train);
  const contamination = opts.against ? decontaminate(train, opts.against).report : null;
  const found = {
    duplicates: dedupeGroups(ordered).report,
    near_duplicate_prompts: nearDuplicatePrompts(train.map((row) => String(row['prompt'] ?? ''))),
    length: lengthReport(train),
    correlations: rewardCorrelations(train),
    hack_scan: rl_shaped ? hackScan(ordered, { endorsed: opts.endorsed }) : null,
  };
  const refusal = refusalOf({
    rl_shaped,
    n_stamped: stamped.report.n_stamped,
    n_mixed: signal.n_mixed,
    isHack: opts.strictHacks && found.hack_scan?.regime === 'reward_hack',
    top: found.hack_scan?.top_feature ?? null,
    n_leaked: leaks.n_leaked,
    n_contaminated: contamination?.n_contaminated ?? 0,
  });
  if (refusal && opts.strict) throw new TracemillError('TM_GATE', refusal.text, { reason: refusal.code });
  const remarks = refusal
    ? []
    : [...gateRemarks(train, stamped.report, signal, rl_shaped), ...(rl_shaped ? hygieneRemarks(found) : [])];
  return {
    rows: stamped.rows,
    holdout,
    report: {
      ok: refusal === undefined,
      refusal: refusal ?? null,
      judge_trust: judgeTrustOf(train[0]),
      rl_shaped,
      mode: opts.mode ?? null,
      band: [lo, hi] as const,
      n: train.length,
      n_holdout: holdout.length,
      signal,
      calibration: stamped.report,
      ...found,
      privileged_leaks: leaks,
      contamination,
      warnings: remarks.map(({ text }) => text),
      warning_codes: remarks.map(({ code }) => code),
    },
  };
}

interface Evidence {
  readonly rl_shaped: boolean;
  readonly n_stamped: number;
  readonly n_mixed: number;
  readonly isHack: boolean;
  readonly top: string | null;
  readonly n_leaked: number;
  readonly n_contaminated: number;
}

function refusalOf(seen: Evidence): (Remark & { readonly code: GateRefusal }) | undefined {
  if (seen.n_leaked > 0)
    return { code: 'privileged_leak', text: `${seen.n_leaked} replies quote their own answer key: drop them` };
  if (seen.n_contaminated > 0)
    return {
      code: 'contaminated',
      text: `${seen.n_contaminated} rows repeat the evaluation: drop them with decontaminate`,
    };
  if (seen.rl_shaped && seen.n_stamped === 0)
    return {
      code: 'ungraded_rl_rows',
      text: 'no row has a 0/1 reward: grade the rollouts before publishing them as groups',
    };
  if (seen.rl_shaped && seen.n_mixed === 0)
    return {
      code: 'no_mixed_groups',
      text: 'no task has both passes and failures: a grouped update has no gradient on this set',
    };
  if (seen.isHack) return { code: 'reward_hack', text: `the reward pays for ${seen.top ?? 'what is not endorsed'}` };
  return undefined;
}

type Calibration = ReturnType<typeof stampRows>['report'];

function gateRemarks(
  train: readonly JsonObject[],
  { n_unstamped, n_carried }: Calibration,
  signal: ReturnType<typeof groupSignal>,
  rl_shaped: boolean,
): readonly Remark[] {
  if (!rl_shaped) return [];
  const out = signal.n_mixed - signal.n_in_band;
  const unanimous = signal.n_all_zero + signal.n_all_one;
  const unlabeled = train.filter((row) => groupLabel(row) === undefined).length;
  const found: readonly (readonly [boolean, string, string])[] = [
    [out > 0, 'out_of_band_present', `${out} mixed tasks lie outside the band`],
    [unanimous > 0, 'unanimous_present', `in ${unanimous} tasks all rollouts agree: they give no gradient`],
    [unlabeled > 0, 'unlabeled_rows', `${n_unstamped} rows have no 0/1 reward`],
    [n_carried > 0, 'calibration_carried', `${n_carried} rows keep a stamp from more rollouts than are here`],
  ];
  return found.flatMap(([holds, code, text]) => (holds ? [{ code, text }] : []));
}

const hasRepeats = (train: readonly JsonObject[]): boolean =>
  [...byTask(train).values()].some((group) => group.length > 1);

function judgeTrustOf(row: JsonObject | undefined): unknown {
  const meta = row?.['judge_meta'];
  return isObject(meta) ? (meta['trust'] ?? null) : null;
}
