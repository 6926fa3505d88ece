import type { JsonObject } from '../../core/json-object.ts';
import { stableKey } from '../../core/stable-key.ts';
import { traceFault } from '../../rows/trace-fault.ts';
import { type Band, outOfBand } from './band.ts';
import { bucketsOf, inTurn } from './round-robin.ts';

export const taskOrders = ['spread', 'middle'] as const;
export type TaskOrder = (typeof taskOrders)[number];

/** A task on its way into a selection. */
export interface TaskGroup<R extends JsonObject> {
  readonly task: string;
  /** In the order of their ids. */
  readonly rows: readonly R[];
  /** Its graded pass rate; undefined when nothing that votes was graded. */
  readonly rate: number | undefined;
}

/**
 * Put tasks in the order they are taken: one from each kind of fault in turn, the kind with most tasks first. Within a kind
 * those inside the band come first; `spread` alternates between pass rates, lowest first, `middle` takes the rates nearest
 * the middle of the band first. Ties are broken by a hash of the task, so that no order of the input shows.
 *
 * @source house rule
 */
export function orderTasks<R extends JsonObject>(groups: readonly TaskGroup<R>[], band: Band, order: TaskOrder) {
  const kinds = [...bucketsOf(groups, kindOf)].sort(([x, a], [y, b]) => b.length - a.length || (x < y ? -1 : 1));
  return {
    tasks: inTurn(kinds.map(([, bucket]) => orderKind(bucket, band, order))),
    fault_kinds: Object.fromEntries(kinds.map(([kind, bucket]) => [kind, bucket.length])),
  };
}

function kindOf({ rows: [first] }: TaskGroup<JsonObject>): string {
  return first ? traceFault(first) : 'no fault';
}

function orderKind<R extends JsonObject>(groups: readonly TaskGroup<R>[], band: Band, order: TaskOrder) {
  const middle = (band.lo + band.hi) / 2;
  const keyed = groups.map((group) => ({
    group,
    key: stableKey(group.task),
    off: Math.abs((group.rate ?? 0) - middle),
  }));
  const farther = (a: number, b: number) => (Math.abs(a - b) < 1e-9 || order === 'spread' ? 0 : a - b);
  const sorted = keyed.sort((a, b) => farther(a.off, b.off) || (a.key < b.key ? -1 : 1)).map(({ group }) => group);
  const inside = ({ rate }: TaskGroup<R>) => rate !== undefined && outOfBand(rate, band) === undefined;
  return [sorted.filter(inside), sorted.filter((group) => !inside(group))].flatMap((part) =>
    order === 'spread' ? inTurn(byRate(part)) : part,
  );
}

/** Tasks of one pass rate together, rates ascending. */
function byRate<R extends JsonObject>(groups: readonly TaskGroup<R>[]): readonly (readonly TaskGroup<R>[])[] {
  const rates = bucketsOf(groups, ({ rate }) => (rate ?? -1).toFixed(4));
  return [...rates].sort(([a], [b]) => Number(a) - Number(b)).map(([, list]) => list);
}
