import { asWarnings, type Remark } from '../../core/remarks.ts';
import type { Row } from '../../rows/row.ts';
import { rowKey, taskKey } from '../../rows/task-key.ts';
import { clusterWilson } from '../../stats/cluster-wilson.ts';
import { type Confusion, cohenKappa, gwetAc1, observedAgreement } from '../../stats/rater-agreement.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { four, shareOf } from '../rounding.ts';
import { exactLabel, type GoldKind, goldKindOf, isTrusted } from './gold.ts';

export interface AgreementOptions {
  /** Column of the judge's verdict. */
  readonly reward?: string;
  /** Let labels that a model gave measure the judge too. */
  readonly allowModelGold?: boolean;
}

/** A row with the judge's label and the gold. */
export interface Compared {
  readonly row: Row;
  readonly judged: 0 | 1;
  readonly gold: 0 | 1;
  readonly kind: unknown;
}
const fewGold = 50; // 50 to 200 labels measure a judge: rlhfbook ch. 5
const maxLeak = 0.1;

/**
 * Compare a judge with gold labels: those in the column `gold`, or another grading of the same rows. Reports agreement,
 * kappa, AC1 (which does not collapse when nearly all pass), what the judge lets through, and intervals over tasks, as
 * rows of one task are not independent. `ok` says that there are labels and people or programs gave them.
 *
 * @source Cohen 1960; Gwet 2008; rlhfbook ch. 5; Korn & Graubard 1998 (tasks as clusters)
 */
export function judgeAgreement(
  rows: readonly Row[],
  gold: string | readonly Row[] = 'gold_reward',
  { reward = 'reward', allowModelGold = false }: AgreementOptions = {},
) {
  const judged = rows.filter((row) => row !== null && typeof row === 'object');
  const { compared, unmatched, skipped, missing } =
    typeof gold === 'string' ? sameRow(judged, gold, reward) : otherRows(judged, gold, reward);
  const confusion = confusionOf(compared);
  const { tp, fp, fn, tn } = confusion;
  const n = compared.length;
  const kind = goldKindOf(compared.map((one) => one.kind));
  const isMeasured = n > 0 && (isTrusted(kind) || allowModelGold);
  const { interval, tasks } = overTasks(compared);
  const agreement = observedAgreement(confusion);
  const [kappa, ac1] = [cohenKappa(confusion), gwetAc1(confusion)];
  return {
    n,
    n_skipped: skipped,
    n_unmatched: unmatched,
    n_tasks: tasks,
    agreement: agreement === null ? null : four(agreement),
    ci95: interval,
    kappa: kappa === null ? null : four(kappa),
    ac1: ac1 === null ? null : four(ac1),
    confusion,
    pass_when_gold_fail: shareOf(fp, fp + tn),
    pass_when_gold_fail_ci95: wilsonInterval(fp, fp + tn),
    fail_when_gold_pass: shareOf(fn, fn + tp),
    fail_when_gold_pass_ci95: wilsonInterval(fn, fn + tp),
    judge_pass_rate: shareOf(tp + fp, n),
    gold_pass_rate: shareOf(tp + fn, n),
    gold_kind: kind,
    ok: isMeasured,
    ...asWarnings(n === 0 ? [missing] : remarks(n, confusion, kind, allowModelGold)),
  };
}
export type JudgeAgreement = ReturnType<typeof judgeAgreement>;

/** Every row with its verdict and its own gold. */
export function sameRow(rows: readonly Row[], gold: string, reward = 'reward') {
  const compared: Compared[] = [];
  let [hasReward, hasGold] = [false, false];
  for (const row of rows) {
    const [judged, label] = [exactLabel(row[reward]), exactLabel(row[gold])];
    hasReward ||= judged !== undefined;
    hasGold ||= label !== undefined;
    if (judged !== undefined && label !== undefined)
      compared.push({ row, judged, gold: label, kind: row['gold_kind'] });
  }
  const code = hasReward ? (hasGold ? 'no_overlap' : 'missing_gold') : hasGold ? 'missing_reward' : 'missing_both';
  const missing: Remark = { code, text: `no row has both ${reward} and ${gold}` };
  return { compared, unmatched: 0, skipped: rows.length - compared.length, missing };
}

function otherRows(rows: readonly Row[], others: readonly Row[], reward: string) {
  const byKey = new Map<string, Row>();
  for (const other of others) if (!byKey.has(rowKey(other))) byKey.set(rowKey(other), other); // the first wins
  const compared: Compared[] = [];
  let [unmatched, skipped] = [0, 0];
  for (const row of rows) {
    const other = byKey.get(rowKey(row));
    const [judged, gold] = [exactLabel(row[reward]), exactLabel(other?.[reward])];
    if (!other) unmatched++;
    else if (judged === undefined || gold === undefined) skipped++;
    else compared.push({ row, judged, gold, kind: 'model' });
  }
  const code = rows.length === 0 ? 'missing_both' : skipped === 0 ? 'no_match' : 'no_overlap';
  return { compared, unmatched, skipped, missing: { code, text: 'no row of one grading is in the other' } };
}

export function confusionOf(compared: readonly Compared[]): Confusion {
  const counts = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const { judged, gold } of compared)
    counts[judged === 1 ? (gold === 1 ? 'tp' : 'fp') : gold === 1 ? 'fn' : 'tn']++;
  return counts;
}

function overTasks(compared: readonly Compared[]) {
  const tasks = new Map<string, { same: number; n: number }>();
  for (const { row, judged, gold } of compared) {
    const task = tasks.get(taskKey(row)) ?? { same: 0, n: 0 };
    tasks.set(taskKey(row), task);
    task.n++;
    if (judged === gold) task.same++;
  }
  const means = [...tasks.values()].map(({ same, n }) => same / n);
  return { interval: clusterWilson(means, compared.length), tasks: tasks.size };
}

function remarks(n: number, { fp, tn }: Confusion, kind: GoldKind | null, allowModelGold: boolean): Remark[] {
  const found: Remark[] = [];
  const leak = fp + tn === 0 ? 0 : fp / (fp + tn);
  if (n < fewGold) found.push({ code: 'few_gold', text: `${n} labels; ${fewGold} to 200 measure a judge` });
  if (fp > 0 && leak >= maxLeak)
    found.push({ code: 'judge_passes_failures', text: `passes ${fp} of ${fp + tn} rows that the gold fails` });
  if (!isTrusted(kind) && !allowModelGold)
    found.push(
      kind === 'unknown'
        ? { code: 'unknown_gold', text: 'no row says who gave its label: set gold_kind to human, or to program' }
        : { code: 'model_gold', text: 'a model gave the labels: it measures consistency, not correctness' },
    );
  return found;
}
