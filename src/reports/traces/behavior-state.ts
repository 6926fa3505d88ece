import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { latestRevisions } from '../../rows/revision.ts';
import { rowTime } from '../../rows/row-time.ts';
import { type Membership, membershipsOf } from './behavior-regions.ts';

/** Options of `behaviorState`. */
const options = z.strictObject({
  targeted: z.array(z.string()).default([]).describe('Regions that the last batch was aimed at.'),
  exploration: z
    .number()
    .default(0.2)
    .transform((share) => Math.min(0.6, Math.max(0, share)))
    .describe('Share of the budget that is not aimed, held between 0 and 0.6.'),
});

export type RegionStatus = 'passing' | 'new' | 'persistent' | 'improving' | 'solved' | 'uncertain';

/** One behaviour over time, and what the next batch should spend on it. */
export interface Region {
  readonly region: string;
  readonly kind: Membership['kind'];
  /** Where it fails: tools and axis values of its failing rows. */
  readonly recipe: Readonly<Record<string, readonly string[]>>;
  readonly support: number;
  readonly first_bucket: string;
  readonly last_bucket: string;
  readonly status: RegionStatus;
  readonly n_graded: number;
  /** Smoothed by one fail and one pass, four decimals. */
  readonly fail_rate: number;
  readonly low_support: boolean;
  readonly previously_targeted: boolean;
  /** It was aimed at and still fails: come at it from another side. */
  readonly rotate_coordinates: boolean;
  readonly history: readonly { readonly bucket: string; readonly n: number; readonly fail_rate: number | null }[];
  readonly priority: number;
  readonly budget_share: number;
}

/** What to spend the next batch on. */
export interface BehaviorState {
  readonly regions: readonly Region[];
  readonly exploration_share: number;
  readonly traces: number;
  readonly buckets: readonly string[];
}

/** How much a region of each status is worth looking at. @source house rule */
const weights: Readonly<Record<RegionStatus, number>> = {
  new: 1,
  persistent: 0.9,
  uncertain: 0.35,
  improving: 0.2,
  solved: 0.05,
  passing: 0.05,
};
/** Fewer graded rows than this say little. @source house rule */
export const fewGraded = 3;

/**
 * Follow behaviours over the versions of a model, or over the older and the newer half of the traces: which are new,
 * stay broken, get better, are solved; and share the next budget by that, by how often each fails and how well that is
 * known.
 *
 * @source house rule
 */
export function behaviorState(rows: readonly unknown[], config: z.input<typeof options> = {}): BehaviorState {
  const { targeted, exploration } = parseOptions('behaviorState', options, config);
  const traces = latestRevisions(rows.filter(isObject));
  const placed = bucketsOf(traces);
  const buckets = [...new Set(placed.map(({ bucket }) => bucket))];
  const regions = new Map<string, Seen[]>();
  for (const { row, bucket } of placed)
    for (const membership of membershipsOf(row)) {
      const seen = regions.get(membership.region);
      if (seen) seen.push({ ...membership, row, bucket });
      else regions.set(membership.region, [{ ...membership, row, bucket }]);
    }
  const found = [...regions.values()].map((seen) => regionOf(seen, buckets, new Set(targeted)));
  const total = found.reduce((sum, { worth }) => sum + worth, 0);
  const shared = found
    .sort((a, b) => b.worth - a.worth)
    .map(({ worth, ...region }) => ({
      ...region,
      priority: round(worth),
      budget_share: total === 0 ? 0 : round(((1 - exploration) * worth) / total),
    }));
  return { regions: shared, exploration_share: shared.length === 0 ? 1 : exploration, traces: traces.length, buckets };
}

interface Seen extends Membership {
  readonly row: JsonObject;
  readonly bucket: string;
}

const round = (value: number) => Math.round(value * 1e4) / 1e4;

/** Versions in first-seen order when there are two or more, else two halves by time or by order. */
function bucketsOf(rows: readonly JsonObject[]): { readonly row: JsonObject; readonly bucket: string }[] {
  const versions = new Set(
    rows.flatMap(({ model_version }) =>
      typeof model_version === 'string' && model_version !== '' ? [model_version] : [],
    ),
  );
  if (versions.size >= 2)
    return rows.map((row) => ({
      row,
      bucket: typeof row['model_version'] === 'string' ? row['model_version'] : 'unknown',
    }));
  const timed = rows.map((row) => ({ row, time: rowTime(row) ?? 0 }));
  const ordered = timed.some(({ time }) => time > 0)
    ? timed.sort((a, b) => a.time - b.time).map(({ row }) => row)
    : rows;
  const half = Math.floor(rows.length / 2);
  return ordered.map((row, n) => ({ row, bucket: n < half ? 'old' : 'recent' }));
}

function regionOf(seen: readonly Seen[], buckets: readonly string[], targets: ReadonlySet<string>) {
  const [{ region, kind, bucket: first } = { region: '', kind: 'capability' as const, bucket: '' }] = seen;
  const judged = seen.filter(({ failed }) => failed !== undefined);
  const fails = judged.filter(({ failed }) => failed === true).length;
  const isTarget = targets.has(region);
  const status = statusOf(seen, buckets.at(-1) ?? '', isTarget);
  const failRate = (fails + 1) / (judged.length + 2);
  const support = Math.min(1, 0.5 + (0.25 * Math.min(fails, 6)) / 3);
  const inOrder = buckets.filter((bucket) => seen.some((one) => one.bucket === bucket));
  return {
    region,
    kind,
    recipe: recipeOf(seen.filter(({ failed }) => failed === true).map(({ row }) => row)),
    support: seen.length,
    first_bucket: first,
    last_bucket: inOrder.at(-1) ?? first,
    status,
    n_graded: judged.length,
    fail_rate: round(failRate),
    low_support: judged.length < fewGraded,
    previously_targeted: isTarget,
    rotate_coordinates: isTarget && status === 'persistent',
    history: inOrder.map((bucket) => historyOf(seen, bucket)),
    worth: weights[status] * support * (0.25 + 0.75 * failRate),
  };
}

function historyOf(seen: readonly Seen[], bucket: string) {
  const here = seen.filter((one) => one.bucket === bucket);
  const judged = here.filter(({ failed }) => failed !== undefined);
  const fails = judged.filter(({ failed }) => failed === true).length;
  return { bucket, n: here.length, fail_rate: judged.length === 0 ? null : round(fails / judged.length) };
}

function statusOf(seen: readonly Seen[], latest: string, isTarget: boolean): RegionStatus {
  const failedBefore = seen.some(({ bucket, failed }) => bucket !== latest && failed === true);
  const now = seen.filter(({ bucket, failed }) => bucket === latest && failed !== undefined);
  const failsNow = now.some(({ failed }) => failed === true);
  if (!failedBefore) return failsNow ? 'new' : 'passing';
  if (failsNow) return 'persistent';
  if (now.length === 0) return 'uncertain';
  return isTarget ? 'solved' : 'improving';
}

const axes = ['tool_condition', 'world_state', 'stance', 'history'] as const;

/** Tell where rows fail: their tools and their values on the axes. */
export function recipeOf(rows: readonly JsonObject[]): Readonly<Record<string, readonly string[]>> {
  const tools = new Set(rows.flatMap(toolsOf));
  const values = axes.map((axis) => [axis, [...new Set(rows.flatMap((row) => valueOn(row, axis)))]] as const);
  return Object.fromEntries([['tool', [...tools]] as const, ...values].filter(([, list]) => list.length > 0));
}

const toolsOf = ({ steps }: JsonObject): string[] =>
  (Array.isArray(steps) ? steps : []).flatMap((step) =>
    isObject(step) && typeof step['tool'] === 'string' ? [step['tool']] : [],
  );

function valueOn(row: JsonObject, axis: string): string[] {
  const value = row[axis] ?? (isObject(row['scenario_dimensions']) ? row['scenario_dimensions'][axis] : undefined);
  return typeof value === 'string' && value !== '' && value !== 'unspecified' && value !== 'unknown' ? [value] : [];
}

/** How a region does in what was generated for it. */
export interface RegionProgress {
  readonly region: string;
  readonly status: RegionStatus;
  /** In the latest traces; null when none of them was graded. */
  readonly trace_fail_rate: number | null;
  readonly generated_n: number;
  readonly generated_fail_rate: number | null;
}

/** Compare the regions of traces with rows that were generated since. */
export function regionProgress(state: BehaviorState, generated: readonly unknown[]): readonly RegionProgress[] {
  const seen = generated.filter(isObject).flatMap(membershipsOf);
  return state.regions.map(({ region, status, history }) => {
    const here = seen.filter((one) => one.region === region);
    const judged = here.filter(({ failed }) => failed !== undefined);
    const fails = judged.filter(({ failed }) => failed === true).length;
    return {
      region,
      status,
      trace_fail_rate: history.at(-1)?.fail_rate ?? null,
      generated_n: here.length,
      generated_fail_rate: judged.length === 0 ? null : round(fails / judged.length),
    };
  });
}
