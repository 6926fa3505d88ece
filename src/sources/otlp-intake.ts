import { NEVER, Observable, of, type Subscriber } from 'rxjs';
import type { Flow, Lane } from '../core/flow.ts';
import type { Context, Tally, Tracked } from '../core/operator.ts';
import { Receipt } from '../core/receipt.ts';
import type { Source } from '../core/source.ts';

interface Refusal {
  readonly record: unknown;
  readonly reason: string;
}

/** What one request brought. */
export interface Load<Row> {
  readonly rows: readonly Row[];
  readonly refused: readonly Refusal[];
  /** What its rows are besides, by name: counted in the turn in which they are given, so that no figure runs ahead. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** A load that has its credits and waits to be given to the run. */
export interface Held<Row> {
  /** Give its rows to the run, its refusals to the rejections. Resolves when all of them are stored. */
  give(load: Load<Row>): Promise<void>;
  /** Nothing comes: give the credits back. */
  drop(): void;
}

interface Open<Row> {
  readonly subscriber: Subscriber<Tracked<Row>>;
  readonly flow: Flow;
  readonly lane: Lane;
  readonly context: Context;
  readonly tally: Tally;
}

/**
 * A source that is pushed to: by a server, one load for each request. It has one receipt for a load, and takes a load only
 * while there is room, however large the load is: what moves is bound by `maxInFlight` and one load.
 */
export function createIntake<Row>(by: string) {
  let open: Open<Row> | undefined;
  let isOver = false;
  let announce: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const source: Source<Row> = ({ flow, context }) => {
    const rows = new Observable<Tracked<Row>>((subscriber) => {
      open = { subscriber, flow, lane: flow.lane(), context, tally: context.tally('source') };
      announce();
      return () => {
        open = undefined;
        isOver = true;
      };
    });
    return of({ rows, lost: NEVER });
  };
  return {
    source,
    /** Resolves when a run reads the source. */
    opened,
    /** A run reads it, and goes on reading. */
    isOpen: () => open !== undefined,
    /** A run read it, and does not any more. */
    isOver: () => isOver,
    count: (what: string) => open?.context.count(by, what),
    /** Wait for room, at most this long. False when there is none. */
    async room(maxWaitMs: number): Promise<boolean> {
      for (const until = performance.now() + maxWaitMs; open !== undefined; ) {
        if (open.flow.open()) return true;
        const leftMs = until - performance.now();
        if (leftMs <= 0 || !(await open.flow.ready(leftMs))) return false;
      }
      return false;
    },
    /** Take the credits for so many rows. Call it in the turn that saw room. Undefined when nobody reads. */
    hold(rows: number): Held<Row> | undefined {
      if (!open) return undefined;
      const { subscriber, lane, context, tally } = open;
      let settle: () => void = () => {};
      const settled = new Promise<void>((resolve) => {
        settle = resolve;
      });
      const receipt = new Receipt(lane, () => settle());
      if (rows > 0) receipt.split(rows);
      return {
        give(load) {
          tally.in += load.rows.length + load.refused.length;
          tally.out += load.rows.length;
          countAll(load.counts ?? {}, (what) => context.count(by, what));
          for (const row of load.rows) subscriber.next({ row, receipt });
          for (const { record, reason } of load.refused) context.reject({ row: record, receipt }, by, reason);
          if (rows === 0) receipt.done();
          return settled;
        },
        drop() {
          receipt.split(0);
          for (let left = rows - 1; left > 0; left--) receipt.done();
        },
      };
    },
    /** No more rows come: the run ends when those that move are stored. */
    end(): void {
      open?.subscriber.complete();
    },
  };
}

function countAll(counts: Readonly<Record<string, number>>, count: (what: string) => void): void {
  for (const [what, n] of Object.entries(counts)) for (let left = n; left > 0; left--) count(what);
}

export type Intake<Row> = ReturnType<typeof createIntake<Row>>;
