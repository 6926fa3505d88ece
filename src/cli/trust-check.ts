import { TracemillError } from '../core/errors.ts';
import { isObject } from '../core/json-object.ts';
import { goldOf } from '../judges/trust/gold.ts';
import { type TrustMode, type TrustStamp, trustAfterGrade } from '../judges/trust/trust-after-grade.ts';
import type { Row } from '../rows/row.ts';
import { markRows } from '../sinks/mark-rows.ts';

const most = 10_000; // 50 to 200 labels measure a judge

/** Keep the graded rows that somebody labelled, at most 10,000: what a judge is measured on. */
export function labelledRows() {
  const rows: Row[] = [];
  return {
    rows: rows as readonly Row[],
    add(row: Row): void {
      if (rows.length < most && goldOf(row) !== undefined) rows.push(row);
    },
  };
}

/** What a grading says of its judge. */
export interface TrustCheck {
  readonly trust: TrustStamp | null;
  readonly note: string | null;
  readonly note_code: string | null;
}

/** Measure the judge of the rows that were labelled. A judge that is not trusted is told, not thrown. */
export async function trustOf(rows: readonly Row[], mode: TrustMode): Promise<TrustCheck> {
  try {
    const { trust, note, note_code } = await trustAfterGrade(rows, mode === 'off' ? 'off' : 'warn');
    return { trust, note, note_code };
  } catch (error) {
    if (!(error instanceof TracemillError)) throw error;
    return { trust: null, note: error.message, note_code: error.reason };
  }
}

/** Say it to people. */
export function trustWords({ trust, note }: TrustCheck): string {
  if (!trust) return `Trust: ${note}`;
  const low = trust.agreement_low === null ? '' : `, at least ${trust.agreement_low}`;
  const figures = `agreement ${trust.agreement}${low}, kappa ${trust.kappa}, ${trust.n_gold} labels`;
  return trust.ok ? `Trust: ok; ${figures}` : `Trust: no; ${figures}: ${note}`;
}

/** Write on every graded row of a file how its judge did on the labelled ones. */
export async function stampTrust(path: string, trust: TrustStamp): Promise<void> {
  await markRows(
    path,
    ({ reward }) => typeof reward === 'number',
    (row) => ({ judge_meta: { ...(isObject(row['judge_meta']) ? row['judge_meta'] : {}), trust } }),
  );
}
