import { Observable, type OperatorFunction, Subject } from 'rxjs';
import type { z } from 'zod';
import { attempt, type Context, type Operator, type Tracked } from './operator.ts';
import type { AnyStage, Kind, StagePorts } from './stage.ts';
import { planKinds } from './stage-kinds.ts';

/** A stage as the runner sees it: row types are gone, the schemas stand for them. */
export interface Step {
  readonly name: string;
  readonly from: string;
  readonly reads: z.ZodType;
  readonly operator: Operator<unknown, unknown>;
  /** What becomes of a row that the operator gives: itself first, then its views. */
  readonly outlets: readonly Outlet[];
}
interface Outlet extends Kind<unknown> {
  readonly to: string;
  readonly rows: (row: unknown) => readonly unknown[];
}

/** What lies between stages when they do not share a process. */
export interface Bus {
  /** What rows pass on their way into a stage. */
  read(step: Pick<Step, 'name' | 'reads'>, context: Context): OperatorFunction<Tracked<unknown>, Tracked<unknown>>;
  /** What is wrong with a row that a stage wrote, if anything is. */
  wrong(kind: Kind<unknown>, row: unknown): string | undefined;
}

export interface Plan {
  /** Kind that the source gives. */
  readonly first: string;
  readonly steps: readonly Step[];
  /** How many stages and sinks read each kind, and how many stages write it. The source is one more writer of the first. */
  readonly kinds: ReadonlyMap<string, { readonly readers: number; readonly writers: number }>;
  readonly bus?: Bus | undefined;
}

interface Declared extends Omit<Step, 'outlets' | 'operator'>, Omit<Outlet, 'schema' | 'rows'> {
  readonly writes: z.ZodType;
  readonly views?: readonly Outlet[];
  readonly operator: (ports: StagePorts) => Operator<unknown, unknown>;
}

/** Check that the stages fit together, and leave out the views that nobody reads. */
export function planOf(stages: readonly AnyStage[], sinks: readonly string[], bus?: Bus, ports: StagePorts = {}): Plan {
  const { first, kinds } = planKinds(stages, sinks);
  const steps = stages.map((stage): Step => {
    const { views = [], writes: schema, ...rest } = stage as unknown as Declared; // its own types were checked where it was declared
    const itself: Outlet = { ...rest, schema, rows: (row) => [row] };
    return { ...rest, operator: rest.operator(ports), outlets: [itself, ...views.filter(({ to }) => kinds.has(to))] };
  });
  return { first, steps, kinds, bus };
}

/** Run the rows of one partition through all stages, into the sinks' subjects. Completes when every operator has. */
export function subscribePlan(
  { first, steps, kinds, bus }: Plan,
  source: Observable<Tracked<unknown>>,
  sinks: ReadonlyMap<string, Subject<Tracked<unknown>>>,
  contextOf: (stage: string) => Context,
): Observable<never> {
  return new Observable((subscriber) => {
    const hubs = new Map([...kinds].map(([kind, { readers, writers }]) => [kind, createHub(readers, writers)]));
    const hubOf = (kind: string): Hub => hubs.get(kind) ?? createHub(0, 1); // planKinds knows every kind
    const error = (cause: unknown) => subscriber.error(cause);
    for (const [kind, rows] of sinks)
      subscriber.add(hubOf(kind).rows.subscribe({ next: (item) => rows.next(item), error }));
    let open = steps.length;
    for (const step of steps) {
      const context = contextOf(step.name);
      const { rows } = hubOf(step.from);
      const outlets = step.outlets.map((outlet) => ({ ...outlet, hub: hubOf(outlet.to) }));
      const given = (bus ? rows.pipe(bus.read(step, context)) : rows).pipe(step.operator.tracked(context));
      const complete = () => {
        for (const hub of new Set(outlets.map(({ hub }) => hub))) hub.leave();
        if (--open === 0) subscriber.complete();
      };
      subscriber.add(given.subscribe({ next: (item) => deliver(item, step, outlets, context, bus), error, complete }));
    }
    const hub = hubOf(first);
    subscriber.add(source.subscribe({ next: (item) => hub.give(item), error, complete: () => hub.leave() }));
  });
}

type Hub = ReturnType<typeof createHub>;

/** The rows of one kind: each goes to all that read it, and it completes when all that write it have. */
function createHub(readers: number, writers: number) {
  const rows = new Subject<Tracked<unknown>>();
  let open = writers;
  return {
    rows: rows.asObservable(),
    give(item: Tracked<unknown>): void {
      if (readers !== 1) item.receipt.split(readers);
      rows.next(item);
    },
    leave(): void {
      if (--open === 0) rows.complete();
    },
  };
}

/** Hand a row that a stage gave to all that read it, and the rows of its views to theirs. */
function deliver(
  item: Tracked<unknown>,
  { name }: Step,
  outlets: readonly (Outlet & { readonly hub: Hub })[],
  context: Context,
  bus: Bus | undefined,
): void {
  const { receipt } = item;
  const [itself] = outlets;
  if (outlets.length === 1 && itself && !bus) {
    itself.hub.give(item);
    return;
  }
  receipt.split(outlets.length);
  for (const outlet of outlets) {
    const answer = attempt(outlet.rows, item, name, context);
    if (!answer) continue;
    receipt.split(answer.value.length);
    for (const row of answer.value) {
      const wrong = bus?.wrong(outlet, row);
      if (wrong === undefined) outlet.hub.give({ row, receipt });
      else context.reject({ row, receipt }, name, 'invalid_output', wrong);
    }
  }
}
