import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseOptions } from '../../core/operator.ts';
import { asWarnings, type Remark } from '../../core/remarks.ts';
import type { Row } from '../../rows/row.ts';
import { taskKey } from '../../rows/task-key.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { type Judge, judgeNameOf } from '../judge.ts';
import { shareOf } from '../rounding.ts';
import { isTrusted } from './gold.ts';
import { type Compared, type JudgeAgreement, judgeAgreement, sameRow } from './judge-agreement.ts';
import { judgeProbes, type ProbeReport } from './judge-probes.ts';
import { lengthSensitivity } from './length-sensitivity.ts';
import { perturbation } from './perturbation.ts';

const options = z.strictObject({
  gold: z.string().default('gold_reward').describe('Column of the labels.'),
  minAgreement: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('Lowest end of the interval of agreement that is trusted.'),
  minKappa: z.number().min(-1).max(1).default(0.6).describe('Lowest agreement beyond chance that is trusted.'),
  minTasks: z.int().min(1).default(10).describe('Fewest labelled tasks that measure a judge.'),
  allowModelGold: z.boolean().default(false).describe('Let labels that a model gave measure the judge.'),
  probes: z
    .union([z.literal('all'), z.array(z.string())])
    .optional()
    .describe('Attacks to try; none by default.'),
  rubric: z.string().optional().describe('What the judge pays for, for the attacks.'),
  sample: z.int().min(1).default(40).describe('Most rows to ask the judge about again.'),
  seed: z.int().default(0).describe('Which rows.'),
  concurrency: z.int().min(1).default(8).describe('Calls at the same time.'),
  timeoutMs: z.int().min(1).default(120_000).describe('A call that takes longer has no verdict, in ms.'),
});
export type TrustOptions = z.input<typeof options>;
type Parsed = z.output<typeof options>;

const maxLabels = 200; // more labels than that are not asked for: rlhfbook ch. 5
const minHalf = 10;
const maxHalfGap = 0.15;
const maxFractional = 0.1;

/** Codes that say that a judge is not trusted. */
const failing =
  /^(agreement_low|agreement_low_sample|kappa_low|length_bias|judge_passes_failures|exploitable:.*|inconsistent_rejudge|filler_flips|one_class_gold|few_tasks|fractional_rewards|other_judge)$/;

/**
 * Decide whether a judge may be trusted, from rows with its verdicts and gold labels: the interval of agreement over tasks
 * against a floor, kappa, what it lets through, whether it pays for length; with the judge itself also whether it answers
 * twice the same, and what attacks on it win. Without labels it is unmeasured, which is not trusted.
 *
 * @throws TM_OPTIONS - an unknown option or attack
 * @source rlhfbook ch. 5; Zheng et al. 2023, arXiv 2306.05685
 */
export async function judgeTrust(rows: readonly Row[], judge?: Judge, config: TrustOptions = {}) {
  const parsed = parseOptions('judgeTrust', options, config);
  const given = rows.filter((row) => row !== null && typeof row === 'object');
  const agreement = judgeAgreement(given, parsed.gold, { allowModelGold: parsed.allowModelGold });
  const { compared } = sameRow(given, parsed.gold);
  const halves = heldOutHalves(compared);
  const length = lengthSensitivity(compared);
  const again = judge && (await perturbation(given, judge, parsed));
  const attacks =
    judge && parsed.probes ? await judgeProbes(given, judge, { ...only(parsed), probes: parsed.probes }) : undefined;
  const isOneClass = new Set(compared.map(({ gold }) => gold)).size === 1;
  const remarks: Remark[] = [
    ...agreementRemarks(agreement, parsed, isOneClass),
    ...halfRemarks(halves),
    ...(length.flagged
      ? [{ code: 'length_bias', text: 'it passes long replies more often than short ones of the same gold' }]
      : []),
    ...againRemarks(again),
    ...attackRemarks(attacks),
    ...stampRemarks(given, judge),
  ];
  const isFlagged = remarks.some(({ code }) => failing.test(code));
  const isTrustedKind = isTrusted(agreement.gold_kind) || parsed.allowModelGold;
  if (agreement.n === 0 && !isFlagged)
    remarks.push({ code: 'unmeasured', text: 'no row has a label: label 50 to 200' });
  return {
    ok: agreement.n > 0 && isTrustedKind && !isFlagged,
    n_rows: given.length,
    n_labeled: agreement.n,
    gold_kind: agreement.gold_kind,
    gold_degenerate: isOneClass,
    floors: { min_agreement: parsed.minAgreement, min_kappa: parsed.minKappa },
    agreement,
    held_out_halves: halves,
    length_sensitivity: length,
    ...(again && { perturbation: again }),
    ...(attacks && { probes: attacks.probes }),
    exploitable_by: attacks?.exploitable_by ?? [],
    disagreements: compared.filter(({ judged, gold }) => judged !== gold).map(disagreement),
    ...asWarnings(remarks),
  };
}
export type JudgeTrust = Awaited<ReturnType<typeof judgeTrust>>;

/** The options that an attack takes. */
function only({ rubric, sample, seed, concurrency, timeoutMs }: Parsed) {
  return { ...(rubric !== undefined && { rubric }), sample, seed, concurrency, timeoutMs };
}

function heldOutHalves(compared: readonly Compared[]) {
  const isOdd = ({ row }: Compared) =>
    Number.parseInt(createHash('sha256').update(taskKey(row)).digest('hex').slice(0, 8), 16) % 2 === 1;
  const half = (rows: readonly Compared[]) => ({
    n: rows.length,
    agreement: shareOf(rows.filter(({ judged, gold }) => judged === gold).length, rows.length),
  });
  return { a: half(compared.filter((one) => !isOdd(one))), b: half(compared.filter(isOdd)) };
}

function agreementRemarks(
  agreement: JudgeAgreement,
  { minAgreement, minKappa, minTasks }: Parsed,
  isOneClass: boolean,
): Remark[] {
  const found: Remark[] =
    agreement.n === 0 ? [] : agreement.warnings.map((text, n) => ({ code: agreement.warning_codes[n] ?? '', text }));
  if (agreement.n === 0) return found;
  if (isOneClass)
    found.push({ code: 'one_class_gold', text: 'all labels are the same: it was never tried on the other' });
  if (agreement.n_tasks < minTasks)
    found.push({ code: 'few_tasks', text: `${agreement.n_tasks} labelled tasks, ${minTasks} measure a judge` });
  const low = agreement.ci95?.[0];
  if (low !== undefined && low < minAgreement) found.push(lowRemark(agreement.agreement ?? 0, low, minAgreement));
  if (!isOneClass && (agreement.kappa ?? 0) < minKappa)
    found.push({ code: 'kappa_low', text: `kappa ${agreement.kappa} is under ${minKappa}` });
  return found;
}

/** Too low, or too few labels to tell. */
function lowRemark(point: number, low: number, floor: number): Remark {
  const reached = wilsonInterval(point * maxLabels, maxLabels)?.[0] ?? 0;
  const text = `agreement may be as low as ${low.toFixed(3)}, under ${floor}`;
  return point > floor && reached >= floor
    ? { code: 'agreement_low_sample', text: `${text}: more labels would tell` }
    : { code: 'agreement_low', text };
}

function halfRemarks({ a, b }: ReturnType<typeof heldOutHalves>): Remark[] {
  if (a.n < minHalf || b.n < minHalf || Math.abs((a.agreement ?? 0) - (b.agreement ?? 0)) < maxHalfGap) return [];
  return [
    {
      code: 'halves_differ',
      text: `it agrees on ${a.agreement} of one half of the tasks, ${b.agreement} of the other`,
    },
  ];
}

function againRemarks(again: Awaited<ReturnType<typeof perturbation>> | undefined): Remark[] {
  const found: Remark[] = [];
  if (again?.flagged_consistency)
    found.push({
      code: 'inconsistent_rejudge',
      text: `asked again, ${again.consistency_flip_rate} of its verdicts change`,
    });
  if (again?.flagged_length)
    found.push({ code: 'filler_flips', text: `a neutral sentence changes ${again.filler_flip_rate} of its verdicts` });
  return found;
}

const attackRemarks = (attacks: ProbeReport | undefined): Remark[] =>
  (attacks?.warnings ?? []).map((text, n) => ({ code: attacks?.warning_codes[n] ?? '', text }));

/** Verdicts that cannot be compared, or are not this judge's. */
function stampRemarks(rows: readonly Row[], judge: Judge | undefined): Remark[] {
  const labelled = rows.filter((row) => typeof row['gold_reward'] === 'number' && typeof row.reward === 'number');
  const fractional = labelled.filter(({ reward }) => reward !== 0 && reward !== 1).length;
  const found: Remark[] = [];
  if (fractional > labelled.length * maxFractional)
    found.push({
      code: 'fractional_rewards',
      text: `${fractional} of ${labelled.length} labelled rows have a partial reward and are left out`,
    });
  const name = judge && judgeNameOf(judge);
  const others = name === undefined ? 0 : rows.filter((row) => row.judge_name && row.judge_name !== name).length;
  if (others > 0) found.push({ code: 'other_judge', text: `${others} rows were graded by another judge than ${name}` });
  return found;
}

const disagreement = ({ row, judged, gold }: Compared) => ({
  task: taskKey(row),
  gold,
  judge: judged,
  reason: String(row.reason ?? '').slice(0, 200),
  final_text: String(row.final_text ?? '').slice(0, 200),
});
