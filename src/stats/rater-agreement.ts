/** How two raters of pass and fail met. */
export interface Confusion {
  /** Both passed it. */
  readonly tp: number;
  /** The first passed what the second failed. */
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
}

/** Share of cases on which two raters agree; null without cases. */
export function observedAgreement({ tp, fp, fn, tn }: Confusion): number | null {
  const n = tp + fp + fn + tn;
  return n === 0 ? null : (tp + tn) / n;
}

/**
 * Give the agreement of two raters beyond chance: 1 is full, 0 is chance. Collapses when nearly all cases are of one kind.
 *
 * @source Cohen 1960
 */
export function cohenKappa({ tp, fp, fn, tn }: Confusion): number | null {
  const n = tp + fp + fn + tn;
  if (n === 0) return null;
  const byChance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / (n * n);
  return beyondChance((tp + tn) / n, byChance);
}

/**
 * Give the agreement of two raters beyond chance where most cases are of one kind: chance is how mixed the cases are.
 *
 * @source Gwet 2008 (AC1)
 */
export function gwetAc1({ tp, fp, fn, tn }: Confusion): number | null {
  const n = tp + fp + fn + tn;
  if (n === 0) return null;
  const passed = (2 * tp + fp + fn) / (2 * n);
  return beyondChance((tp + tn) / n, 2 * passed * (1 - passed));
}

const beyondChance = (observed: number, byChance: number): number =>
  byChance === 1 ? (observed === 1 ? 1 : 0) : (observed - byChance) / (1 - byChance);

/**
 * Give the agreement of any number of raters, some of whom rated only some cases; null without a case that two rated.
 *
 * @param cases - the ratings of each case
 * @source Krippendorff 2004 (alpha, nominal)
 */
export function krippendorffAlpha(cases: readonly (readonly number[])[]): number | null {
  const counts = new Map<number, number>();
  let [total, apart] = [0, 0];
  for (const ratings of cases) {
    if (ratings.length < 2) continue;
    total += ratings.length;
    for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + 1);
    apart += differing(ratings) / (ratings.length - 1);
  }
  if (total === 0) return null;
  let expected = total * total;
  for (const count of counts.values()) expected -= count * count;
  return expected === 0 ? 1 : 1 - ((total - 1) * apart) / expected;
}

/** Ordered pairs of ratings that differ. */
function differing(ratings: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + count * (ratings.length - count), 0);
}
