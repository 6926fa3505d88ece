import { TracemillError } from '../../core/errors.ts';
import { isObject } from '../../core/json-object.ts';
import type { Row } from '../../rows/row.ts';
import { four } from '../rounding.ts';
import { goldOf, isTrusted, kindOf } from './gold.ts';
import { judgeTrust } from './judge-trust.ts';

/** What to do when a judge is not trusted: say so, refuse, or do not look. */
export const trustModes = ['warn', 'require', 'off'] as const;
export type TrustMode = (typeof trustModes)[number];

/** What rows say of the judge that graded them. */
export interface TrustStamp {
  readonly agreement: number | null;
  readonly agreement_low: number | null;
  readonly kappa: number | null;
  readonly n_gold: number;
  readonly ok: boolean;
}
interface Stamped<T> {
  readonly rows: readonly T[];
  readonly trust: TrustStamp | null;
  /** Why there is no trust, with its code. */
  readonly note: string | null;
  readonly note_code: string | null;
}

/**
 * Measure the judge of graded rows on those that people or programs labelled, and stamp the result on every graded row as
 * `judge_meta.trust`; null there when nothing measured it. `off` touches nothing.
 *
 * @throws TM_JUDGE_NOT_TRUSTED - mode `require` and the judge is not trusted, or unmeasured
 * @throws TM_OPTIONS - another mode
 * @source rlhfbook ch. 5
 */
export async function trustAfterGrade<T extends Row>(
  rows: readonly T[],
  mode: TrustMode = 'warn',
): Promise<Stamped<T>> {
  if (!trustModes.includes(mode))
    throw new TracemillError('TM_OPTIONS', `trust is ${trustModes.join(', ')}, got ${mode}`);
  if (mode === 'off') return { rows, trust: null, note: null, note_code: null };
  const labelled = rows.filter((row) => goldOf(row) !== undefined && isTrusted(kindOf(row['gold_kind'])));
  const report = labelled.length === 0 ? undefined : await judgeTrust(labelled);
  const trust = report && report.n_labeled > 0 ? stampOf(report) : null;
  const note = trust ? (report?.ok ? null : (report?.warnings.join('; ') ?? null)) : unmeasured(rows);
  if (mode === 'require' && !trust?.ok)
    throw new TracemillError('TM_JUDGE_NOT_TRUSTED', note ?? 'the judge is not trusted');
  return {
    rows: rows.map((row) => stamped(row, trust)),
    trust,
    note,
    note_code: note === null ? null : trust ? 'judge_not_trusted' : 'no_human_gold',
  };
}

/** A label is worth what gave it: one that nobody vouches for measures nothing. */
function unmeasured(rows: readonly Row[]): string {
  const others = rows.filter((row) => goldOf(row) !== undefined).length;
  return others === 0
    ? 'nobody labelled these rows: the judge is unmeasured'
    : `${others} rows have gold_reward, but none a gold_kind of human or program: set it to say who labelled them; the judge is unmeasured`;
}

function stampOf({ agreement, ok }: Awaited<ReturnType<typeof judgeTrust>>): TrustStamp {
  const low = agreement.ci95?.[0];
  return {
    agreement: agreement.agreement,
    agreement_low: low === undefined ? null : four(low),
    kappa: agreement.kappa,
    n_gold: agreement.n,
    ok,
  };
}

function stamped<T extends Row>(row: T, trust: TrustStamp | null): T {
  if (typeof row.reward !== 'number') return row;
  const meta = isObject(row['judge_meta']) ? row['judge_meta'] : {};
  return { ...row, judge_meta: { ...meta, trust } };
}
