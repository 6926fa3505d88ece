import { foldRows } from '../../core/fold.ts';
import { judgeVersionOf } from '../../rows/judge-version.ts';
import type { Row } from '../../rows/row.ts';
import { type Agreement, agreementFold } from './agreement-fold.ts';
import { exactLabel, isTrusted, kindOf } from './gold.ts';

/** How a judge does now, and whether it drifted. */
export interface DriftReport {
  readonly type: 'agreement' | 'alarm';
  readonly judge: string;
  readonly judge_version: string;
  /** Labelled verdicts of this judge so far; names the report. */
  readonly at: number;
  /** Over the last `window` labelled verdicts. */
  readonly now: Agreement;
  /** Over the first `window` of this version: what it is held against. */
  readonly first: Agreement;
  /** What drifted, of agreement and kappa; empty when nothing did. */
  readonly drifted: readonly string[];
  readonly reason: string;
}

interface DriftOptions {
  readonly window: number;
  readonly every: number;
  readonly minAgreement: number;
  readonly minKappa: number;
}

interface Watched {
  readonly first: Row[];
  readonly last: Row[];
  seen: number;
  drifted: readonly string[];
}

/**
 * Watch the agreement of each judge version with gold labels roll by. Every `every` labelled verdicts it is reported; it drifted
 * when, over the last `window`, the whole interval of agreement is under the floor or under the interval of the first window,
 * or the whole interval of kappa is under its floor. An alarm is raised once until it recovers. Memory: two windows of labels a judge version.
 */
export function driftWatch({
  window,
  every,
  minAgreement,
  minKappa,
}: DriftOptions): (row: Row) => readonly DriftReport[] {
  const judges = new Map<string, Watched>();
  return (row) => {
    const label = labelled(row);
    if (!label) return [];
    const { judge, version } = label;
    const key = JSON.stringify([judge, version]);
    const watched = judges.get(key) ?? { first: [], last: [], seen: 0, drifted: [] };
    judges.set(key, watched);
    if (watched.first.length < window) watched.first.push(label.row);
    watched.last.push(label.row);
    if (watched.last.length > window) watched.last.shift();
    watched.seen++;
    if (watched.seen < window || watched.seen % every !== 0) return [];
    const [now, first] = [foldRows(agreementFold, watched.last), foldRows(agreementFold, watched.first)];
    const drifted = driftOf(now, first, { minAgreement, minKappa });
    const isNew = drifted.some((one) => !watched.drifted.includes(one));
    watched.drifted = drifted;
    const about = { judge, judge_version: version, at: watched.seen, now, first, drifted };
    const report = { type: 'agreement', ...about, reason: said(now) } as const;
    return isNew
      ? [report, { ...report, type: 'alarm', reason: `${drifted.join(' and ')} fell: ${said(now)}` }]
      : [report];
  };
}

/** What the fold needs of a row with a label and a verdict. */
function labelled(row: Row) {
  const isGold = exactLabel(row['gold_reward']) !== undefined && isTrusted(kindOf(row['gold_kind']));
  if (!isGold || exactLabel(row.reward) === undefined) return undefined;
  const { scenario_id, task_id, prompt, reward, gold_reward, gold_kind } = row;
  const kept = { scenario_id, task_id, prompt, reward, gold_reward, gold_kind } as Row;
  return { row: kept, judge: row.judge_name ?? 'judge', version: judgeVersionOf(row) ?? '' };
}

function driftOf(
  now: Agreement,
  first: Agreement,
  { minAgreement, minKappa }: Pick<DriftOptions, 'minAgreement' | 'minKappa'>,
): readonly string[] {
  const high = now.ci95?.[1] ?? 1;
  const isLow = high < minAgreement || high < (first.ci95?.[0] ?? 0);
  const kappaHigh = highOfKappa(now);
  const isKappaLow = kappaHigh !== null && kappaHigh < minKappa && (first.kappa ?? 1) >= minKappa;
  return [...(isLow ? ['agreement'] : []), ...(isKappaLow ? ['kappa'] : [])];
}

/** Upper end of the 95 % interval of kappa, large-sample (Cohen 1960); null where the gold is of one class. */
function highOfKappa({ kappa, agreement, n, confusion: { tp, fp, fn, tn } }: Agreement): number | null {
  if (kappa === null || agreement === null || tp + fn === 0 || fp + tn === 0) return null;
  const byChance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / (n * n);
  return byChance === 1 ? null : kappa + 1.96 * (Math.sqrt((agreement * (1 - agreement)) / n) / (1 - byChance));
}

const said = ({ agreement, ci95, kappa, n }: Agreement) =>
  `agreement ${agreement}${ci95 ? ` [${ci95[0].toFixed(3)}, ${ci95[1].toFixed(3)}]` : ''}, kappa ${kappa} on ${n} labels`;
