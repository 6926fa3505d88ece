interface Wanted extends Readonly<Record<string, unknown>> {
  readonly mode: string;
  readonly grid_cells: number;
  readonly optimize_target: number;
  readonly mixed_rate?: number;
  readonly simulate_kwargs: Readonly<Record<string, unknown>>;
}

/** Cases with `compare: "recommend_at_cells"`: a smaller grid is a better one, and what follows from its size follows. */
export function expectAtCells(expect: unknown, got: unknown): unknown {
  const wanted = expect as Wanted;
  const cells = (got as { readonly grid_cells?: unknown } | null)?.grid_cells;
  if (typeof cells !== 'number' || cells >= wanted.grid_cells) return expect;
  const kwargs = wanted.simulate_kwargs;
  if (wanted.mode === 'sft') {
    const budget = 100 * Math.ceil(Math.max(5 * cells, 3 * wanted.optimize_target) / 100);
    return { ...wanted, grid_cells: cells, budget, simulate_kwargs: { ...kwargs, budget } };
  }
  const situations = Math.max(2 * cells, Math.ceil(wanted.optimize_target / (8 * (wanted.mixed_rate ?? 0.5))));
  const budget = 8 * situations;
  return { ...wanted, grid_cells: cells, situations, budget, simulate_kwargs: { ...kwargs, situations, budget } };
}
