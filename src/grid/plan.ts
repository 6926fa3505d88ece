import { drawInt } from '../core/draws.ts';
import { idOf } from '../core/ids.ts';
import type { Cell } from '../rows/situation.ts';
import type { Tool } from '../rows/tool.ts';
import { type Axes, type AxisName, axesOf, axisNames, type Dimensions, unspecified } from './axes.ts';
import { coveringArray } from './covering-array/index.ts';
import { countPairs } from './pairwise-coverage.ts';
import { foldClause, policyClauses } from './policy-sections.ts';

/** `stable`: a block a clause, so that a prompt edit keeps the other tasks. `compact`: one array over all axes. */
export type GridLayout = 'stable' | 'compact';

export interface GridPlan {
  readonly axes: Axes;
  /** The block without a rule first, then a block a clause in the order of the policy. */
  readonly cells: readonly Cell[];
  readonly rule_free_cells: number;
  readonly cells_per_rule: number;
  /** Product of the two widest axes of the block without a rule: no covering array is smaller. */
  readonly rule_free_lower_bound: number;
  /** Pairs of values that stand together in some cell: every pair there is. */
  readonly pairs_full: number;
  /** Clauses that the policy has; more than the rule axis holds when the cap cut some. */
  readonly clauses_found: number;
}

/**
 * Plan the cells that together hold every pair of axis values of an agent.
 *
 * @throws TM_OPTIONS - `dimensions` names what no axis can play
 * @source Kuhn, Wallace, Gallo (IEEE TSE 2004)
 */
export function gridPlan(
  tools: readonly Tool[],
  policy: string,
  options: { readonly dimensions?: Dimensions | undefined; readonly grid?: GridLayout | undefined } = {},
): GridPlan {
  const axes = axesOf(tools, policy, options.dimensions);
  const clauses = axes.rule.filter((clause) => clause !== unspecified);
  const ruleFree = arrayCells({ ...axes, rule: [unspecified] });
  const blocks = options.grid === 'compact' ? [] : clauses.map((clause) => clauseBlock(clause, axes));
  const cells =
    options.grid === 'compact'
      ? arrayCells({ ...axes, rule: [unspecified, ...clauses] })
      : [ruleFree, ...blocks].flat();
  const [widest = 1, second = 1] = axisNames
    .filter((axis) => axis !== 'rule')
    .map((axis) => axes[axis].length)
    .sort((a, b) => b - a);
  return {
    axes,
    cells,
    rule_free_cells:
      options.grid === 'compact' ? cells.filter(({ rule }) => rule === unspecified).length : ruleFree.length,
    cells_per_rule: blocks[0]?.length ?? 0,
    rule_free_lower_bound: widest * second,
    pairs_full: countPairs(cells),
    clauses_found: options.dimensions?.rule ? clauses.length : policyClauses(policy).found,
  };
}

/**
 * Name a cell by its content alone: the order of clauses, their list markers, case and spaces carry nothing. The
 * `sc-` and twelve hex digits stay apart for some million cells.
 */
export function scenarioId(cell: Cell): string {
  const known = ids.get(cell);
  if (known !== undefined) return known;
  const id = `sc-${idOf([{ ...cell, rule: foldClause(cell.rule) }], 12)}`;
  ids.set(cell, id);
  return id;
}

const ids = new WeakMap<Cell, string>(); // a cell is asked for its id by every rule that draws for it

function arrayCells(axes: Axes): readonly Cell[] {
  return coveringArray(axisNames.map((axis) => axes[axis].length)).map((row) =>
    cellOf((axis) => axes[axis][row[axisNames.indexOf(axis)] ?? 0]),
  );
}

/**
 * Every value of every other axis beside one clause: as many cells as the widest axis has values. Each axis begins
 * where a hash of the clause says and steps aside after each lap, so that equal sizes do not march in pairs.
 */
function clauseBlock(clause: string, axes: Axes): readonly Cell[] {
  const others = axisNames.filter((axis) => axis !== 'rule');
  const width = Math.max(...others.map((axis) => axes[axis].length));
  const key = foldClause(clause);
  const walks = new Map(
    others.map((axis) => {
      const size = axes[axis].length;
      const [start, aside] = ['start', 'aside'].map((what) => drawInt(0, size - 1, 'clause block', key, axis, what));
      return [axis, (n: number) => axes[axis][(n + (start ?? 0) + Math.floor(n / size) * (aside ?? 0)) % size]];
    }),
  );
  return Array.from({ length: width }, (_, n) => cellOf((axis) => (axis === 'rule' ? clause : walks.get(axis)?.(n))));
}

const cellOf = (value: (axis: AxisName) => string | undefined): Cell =>
  Object.fromEntries(axisNames.map((axis) => [axis, value(axis) ?? unspecified])) as unknown as Cell; // every axis is set
