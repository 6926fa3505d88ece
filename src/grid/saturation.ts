/** Rows a cell should have before it is known. @source house rule */
export const copiesNeeded = 5;
/** Batches without a new cell or signature after which nothing more is expected. */
const flatBatches = 12;

/** Count the rows that cells still lack: up to five each; five when there is no cell. */
export function copiesRemaining(counts: Readonly<Record<string, number>>): number {
  const cells = Object.values(counts);
  if (cells.length === 0) return copiesNeeded;
  return cells.reduce((sum, count) => sum + Math.max(0, copiesNeeded - count), 0);
}

/** Say whether every planned cell has its five rows; cells that nobody planned do not matter. Null plans what was seen. */
export function spaceSaturated(counts: Readonly<Record<string, number>>, expected: Iterable<string> | null): boolean {
  const cells = [...(expected ?? Object.keys(counts))];
  return (
    cells.length > 0 && cells.every((cell) => (Object.hasOwn(counts, cell) ? (counts[cell] ?? 0) : 0) >= copiesNeeded)
  );
}

interface CurvePoint {
  readonly n_rows: number;
  readonly stopped_because?: string | null | undefined;
}

/** Predict at how many rows the space is seen, from the last point of the curve; never beyond the budget. */
export function predictToSaturation(
  curve: readonly CurvePoint[],
  options: {
    readonly budget: number;
    readonly copyDeficit?: number | undefined;
    readonly flatStreak?: number | undefined;
    readonly lastBatchSize?: number | undefined;
  },
): { readonly predicted_to_saturation: number | null; readonly predicted_remaining: number | null } {
  const last = curve.at(-1);
  if (!last) return { predicted_to_saturation: null, predicted_remaining: null };
  const { budget, copyDeficit = 0, flatStreak = 0, lastBatchSize = 0 } = options;
  if (last.stopped_because === 'saturation') return { predicted_to_saturation: last.n_rows, predicted_remaining: 0 };
  const wanted = Math.max(copyDeficit, Math.max(0, flatBatches - flatStreak) * lastBatchSize);
  const remaining = Math.max(0, Math.min(budget - last.n_rows, wanted));
  return { predicted_to_saturation: Math.min(budget, last.n_rows + remaining), predicted_remaining: remaining };
}
