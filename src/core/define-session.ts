import { asyncScheduler, interval, Observable } from 'rxjs';
import type { z } from 'zod';
import {
  attempt,
  type Context,
  type Example,
  type Hooks,
  type Operator,
  parseOptions,
  type Tally,
  type Tracked,
  toOperator,
} from './operator.ts';
import {
  createSessionStore,
  type Session,
  type SessionKeys,
  type SessionLimits,
  type SessionPorts,
  type sessionOptions,
} from './session-store.ts';

export { sessionOptions } from './session-store.ts';

type SessionOptions = z.ZodObject<typeof sessionOptions>;

export interface SessionCore<In, Out> extends SessionKeys<In> {
  /**
   * Tell a session. `rows` are all its rows, those of `told` first; none was told yet where `told` is 0. Rows come in the
   * order of arrival, which differs from run to run: sort whatever depends on it. `isLate`: an earlier session of the same
   * name was told and forgotten, and this one knows nothing of it.
   */
  close(rows: readonly In[], told: number, isLate: boolean): readonly Out[];
  /** A row as it is shown where it is rejected. Without it as it is. */
  shown?(row: In): unknown;
}

export interface SessionSpec<In, Out, Options extends SessionOptions> {
  readonly name: string;
  readonly options: Options;
  readonly core: (options: z.output<Options>) => SessionCore<In, Out>;
  readonly example: Example<Options, In, Out> & { readonly ports: SessionPorts };
}

/**
 * Declare an operator that gathers rows into sessions and tells each when it closes, and again when a row comes late. Rows
 * may come in any order and more than once. A row is done when its session is forgotten and all that was told of it is
 * stored: what may be told again is read again after a crash, whole, and told as it was. Parked rows give their credits
 * back.
 */
export function defineSession<In, Out, Options extends SessionOptions>(spec: SessionSpec<In, Out, Options>) {
  const build = (options: z.input<Options>, ports: SessionPorts = {}, hooks: Hooks = {}): Operator<In, Out> => {
    const parsed = parseOptions(spec.name, spec.options, options);
    const limits = parsed as SessionLimits; // Options extends SessionOptions: zod cannot see it
    return toOperator(
      spec.name,
      (context, tally) => (source) =>
        new Observable((subscriber) => {
          const emit = (item: Tracked<Out>) => subscriber.next(item);
          const sessions = openSessions({
            core: { ...spec.core(parsed), ...ports },
            limits,
            by: spec.name,
            context,
            tally,
            emit,
          });
          subscriber.add(context.gauge?.(spec.name, sessions.figures));
          subscriber.add(interval(Math.ceil(limits.maxIdleMs / 4)).subscribe(() => sessions.tick()));
          subscriber.add(sessions.lose);
          subscriber.add(
            source.subscribe({
              next: sessions.add,
              error: (error: unknown) => subscriber.error(error),
              complete() {
                sessions.end();
                subscriber.complete();
              },
            }),
          );
        }),
      hooks,
    );
  };
  return Object.assign(build, { spec, family: 'session' as const });
}

interface Opened<In, Out> {
  readonly core: SessionCore<In, Out> & SessionPorts;
  readonly limits: SessionLimits;
  readonly by: string;
  readonly context: Context;
  readonly tally: Tally;
  readonly emit: (item: Tracked<Out>) => void;
}

function openSessions<In, Out>({ core, limits, by, context, tally, emit }: Opened<In, Out>) {
  let waiting = 0; // rows that were not told yet
  const close = ({ pieces, held, isLate }: Session<In>): void => {
    const told = pieces.filter(({ isTold }) => isTold);
    const rows = [...told, ...pieces.filter(({ isTold }) => !isTold)].map(({ row }) => row);
    waiting -= rows.length - told.length;
    tally.inFlight -= rows.length - told.length;
    const receipt = held.tell();
    let made: readonly Out[];
    try {
      made = core.close(rows, told.length, isLate);
    } catch (error) {
      context.reject({ row: core.shown ? rows.map(core.shown) : rows, receipt }, by, 'error', error);
      return;
    }
    receipt.split(made.length);
    for (const row of made) emit({ row, receipt });
  };
  const store = createSessionStore(core, limits, { close, count: (what) => context.count(by, what) });
  return {
    add(item: Tracked<In>): void {
      tally.inFlight++;
      waiting++;
      const answer = attempt(() => store.add(item, asyncScheduler.now()), item, by, context);
      if (answer?.value) return;
      waiting--; // a copy of one that is here
      tally.inFlight--;
    },
    tick: () => store.tick(asyncScheduler.now()),
    end: () => store.end(),
    figures: store.figures,
    /** Forget all: another process tells them. */
    lose(): void {
      for (; waiting > 0; waiting--, tally.inFlight--) context.count(by, 'lost');
    },
  };
}
