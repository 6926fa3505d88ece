import { Observable } from 'rxjs';
import type { z } from 'zod';
import {
  type Context,
  type Example,
  type Hooks,
  type Operator,
  parseOptions,
  type Tracked,
  toOperator,
} from './operator.ts';
import { Receipt } from './receipt.ts';

/** What becomes of all rows together: those that go on, changed or not, and why each other one does not. */
export interface Sorted<In, Out> {
  readonly kept: readonly Out[];
  /** `row` is one of the rows that were given, the same object. */
  readonly rejected: readonly { readonly row: In; readonly reason: string }[];
}

export interface BatchSpec<In, Out, Options extends z.ZodObject, More> {
  readonly name: string;
  readonly options: Options;
  readonly rejects: readonly string[];
  /** Called once, with all rows, when the stream ends. It accounts for every row. */
  readonly core: (options: z.output<Options>) => (rows: readonly In[]) => Sorted<In, Out> & More;
  readonly example: Example<Options, In, Out> & { readonly ports: Readonly<Record<string, never>> };
}

/** Told once what was decided, before any row goes on. */
export interface BatchPorts<Account> {
  readonly told?: ((account: Account) => void) | undefined;
}

/**
 * Declare an operator that needs all rows to decide about each. For streams that end: it holds every row and its receipt
 * until then. Where a rule needs only the rows of one task, declare a window instead.
 */
export function defineBatch<In, Out, Options extends z.ZodObject, More>(spec: BatchSpec<In, Out, Options, More>) {
  const build = (
    options: z.input<Options>,
    { told }: BatchPorts<Sorted<In, Out> & More> = {},
    hooks: Hooks = {},
  ): Operator<In, Out> => {
    const parsed = parseOptions(spec.name, spec.options, options);
    const decide = (rows: readonly In[]): Sorted<In, Out> => {
      const account = spec.core(parsed)(rows);
      told?.(account);
      return account;
    };
    return toOperator(
      spec.name,
      (context, tally) => (source) =>
        new Observable((subscriber) => {
          let held: Tracked<In>[] = [];
          subscriber.add(() => {
            for (const _ of held) context.count(spec.name, 'lost');
            tally.inFlight -= held.length;
          });
          return source.subscribe({
            next(item) {
              item.receipt.park();
              held.push(item);
              tally.inFlight++;
            },
            error: (error: unknown) => subscriber.error(error),
            complete() {
              const all = held;
              held = [];
              tally.inFlight -= all.length;
              for (const item of settle(spec.name, decide, all, context)) subscriber.next(item);
              subscriber.complete();
            },
          });
        }),
      hooks,
    );
  };
  return Object.assign(build, { spec, family: 'batch' as const });
}

/** A rejected row takes its own receipt along; the rows that go on share one for all that they came from. */
function* settle<In, Out>(
  by: string,
  core: (rows: readonly In[]) => Sorted<In, Out>,
  all: readonly Tracked<In>[],
  context: Context,
): Generator<Tracked<Out>> {
  const reject = ({ row, receipt }: Tracked<In>, reason: string, error?: unknown): void =>
    context.reject({ row, receipt: Receipt.join([receipt]) }, by, reason, error);
  let sorted: Sorted<In, Out>;
  try {
    sorted = core(all.map(({ row }) => row));
    const told = sorted.kept.length + sorted.rejected.length;
    if (told !== all.length) throw new Error(`${by} accounts for ${told} of ${all.length} rows`);
  } catch (error) {
    for (const item of all) reject(item, 'error', error);
    return;
  }
  const reasons = new Map(sorted.rejected.map(({ row, reason }) => [row, reason]));
  const receipts: Receipt[] = [];
  for (const item of all) {
    const reason = reasons.get(item.row);
    if (reason === undefined) receipts.push(item.receipt);
    else reject(item, reason);
  }
  const receipt = Receipt.join(receipts);
  if (receipts.length > 0) receipt.split(sorted.kept.length);
  for (const row of sorted.kept) yield { row, receipt };
}
