import { asyncScheduler, interval, Observable } from 'rxjs';
import { z } from 'zod';
import { memberOf } from './define-window.ts';
import { createKeySet } from './key-set.ts';
import {
  attempt,
  type Context,
  type Example,
  type Hooks,
  type Operator,
  parseOptions,
  type Tracked,
  toOperator,
} from './operator.ts';
import { type Held, Receipt } from './receipt.ts';

/** Options of every keyed operator: spread them into its own. */
export const keyedOptions = {
  maxIdleMs: z
    .int()
    .min(1)
    .default(600_000)
    .describe('A key that gets no row for this long is forgotten, in ms: rows that come later are rejected as `late`.'),
  maxParked: z
    .int()
    .min(1)
    .default(200_000)
    .describe('Rows remembered; beyond it the key that waited longest is forgotten.'),
};
type KeyedOptions = z.ZodObject<typeof keyedOptions>;

export interface KeyedCore<In, Kept, Out> {
  key(row: In): string;
  /** Identity of a row: one that comes again takes the place of the first. */
  id(row: In): string;
  /** What has to be remembered of a row. Of two rows of one id the one that `replaces` the other is remembered. */
  keep(row: In): Kept;
  replaces(row: Kept, known: Kept): boolean;
  /** Asked after each row: nothing more will come of this key. */
  full(rows: ReadonlyMap<string, Kept>): boolean;
  /** What there is to tell after the row `id` came: all rows of its key, and the last thing that was told of it. */
  tell(rows: ReadonlyMap<string, Kept>, id: string, last: Out | undefined): Out | undefined;
}

export interface KeyedSpec<In, Kept, Out, Options extends KeyedOptions> {
  readonly name: string;
  readonly options: Options;
  readonly core: (options: z.output<Options>) => KeyedCore<In, Kept, Out>;
  readonly example: Example<Options, In, Out>;
}

/**
 * Declare an operator that remembers the rows of each key and may tell something after each row. Rows are done when their
 * key is forgotten and all that was told of it is stored: after a crash they are read again in their order, and the same is
 * told again. Parked rows give their credits back.
 */
export function defineKeyed<In, Kept, Out, Options extends KeyedOptions>(spec: KeyedSpec<In, Kept, Out, Options>) {
  const build = (options: z.input<Options>, hooks: Hooks = {}): Operator<In, Out> => {
    const parsed = parseOptions(spec.name, spec.options, options);
    const limits = parsed as z.output<KeyedOptions>; // Options extends KeyedOptions: zod cannot see it
    return toOperator(
      spec.name,
      (context) => (source) =>
        new Observable((subscriber) => {
          const keys = openKeys({ core: spec.core(parsed), limits, by: spec.name, context });
          subscriber.add(interval(Math.ceil(limits.maxIdleMs / 4)).subscribe(() => keys.forgetIdle()));
          subscriber.add(
            source.subscribe({
              next(item) {
                const told = keys.add(item);
                if (told) subscriber.next(told);
              },
              error: (error: unknown) => subscriber.error(error),
              complete() {
                keys.forgetAll();
                subscriber.complete();
              },
            }),
          );
        }),
      hooks,
    );
  };
  return Object.assign(build, { spec, family: 'keyed' as const });
}

interface Known<Kept, Out> {
  readonly rows: Map<string, Kept>;
  readonly held: Held;
  parked: number;
  last: Out | undefined;
  touchedMs: number;
}

interface Opened<In, Kept, Out> {
  readonly core: KeyedCore<In, Kept, Out>;
  readonly limits: z.output<KeyedOptions>;
  readonly by: string;
  readonly context: Context;
}

/** What is remembered of each key, the one that waited longest first. */
function openKeys<In, Kept, Out>({ core, limits, by, context }: Opened<In, Kept, Out>) {
  const known = new Map<string, Known<Kept, Out>>();
  const gone = createKeySet(2 ** 22); // names of forgotten keys and of their rows
  let parked = 0;
  const forget = (key: string, { rows, held, parked: own }: Known<Kept, Out>, what: string): void => {
    known.delete(key);
    gone.add(key);
    for (const id of rows.keys()) gone.add(memberOf(key, id));
    parked -= own;
    context.count(by, what);
    held.release();
  };
  /** Whether the key of a row was forgotten: the row is a replay then, or comes too late. */
  const isOver = (key: string, id: string, item: Tracked<In>): boolean => {
    if (!gone.has(key)) return false;
    if (gone.has(memberOf(key, id))) {
      context.count(by, 'replayed');
      item.receipt.done();
    } else context.reject(item, by, 'late', `${key} was complete, or forgotten, before it came`);
    return true;
  };
  const take = (key: string, id: string, kept: Kept, receipt: Receipt): Out | undefined => {
    const one = known.get(key) ?? { rows: new Map(), held: Receipt.hold(), parked: 0, last: undefined, touchedMs: 0 };
    known.delete(key); // keys stand in the order in which they were heard of
    known.set(key, one);
    one.touchedMs = asyncScheduler.now();
    one.held.add(receipt);
    one.parked++;
    parked++;
    const before = one.rows.get(id);
    if (before !== undefined && !core.replaces(kept, before)) return undefined;
    one.rows.set(id, kept);
    const told = core.tell(one.rows, id, one.last);
    if (told !== undefined) one.last = told;
    return told;
  };
  return {
    add(item: Tracked<In>): Tracked<Out> | undefined {
      const read = attempt(
        (row: In) => ({ key: core.key(row), id: core.id(row), kept: core.keep(row) }),
        item,
        by,
        context,
      );
      if (!read) return undefined;
      const { key, id, kept } = read.value;
      if (isOver(key, id, item)) return undefined;
      const row = take(key, id, kept, item.receipt);
      const one = known.get(key);
      const told = row === undefined || !one ? undefined : { row, receipt: one.held.tell() };
      if (one && core.full(one.rows)) forget(key, one, 'full');
      for (const [oldest, other] of known) {
        if (parked <= limits.maxParked) break;
        forget(oldest, other, 'forgotten_early');
      }
      return told;
    },
    forgetIdle(): void {
      const now = asyncScheduler.now();
      for (const [key, one] of known) {
        if (now - one.touchedMs < limits.maxIdleMs) break;
        forget(key, one, 'forgotten');
      }
    },
    forgetAll(): void {
      for (const [key, one] of known) forget(key, one, 'ended');
    },
  };
}
