import { z } from 'zod';
import { createKeySet } from './key-set.ts';
import { type Linked, LinkedList } from './linked-list.ts';
import type { Tracked } from './operator.ts';
import { type Held, Receipt } from './receipt.ts';

/** Options of every session operator: spread them into its own. */
export const sessionOptions = {
  maxIdleMs: z
    .int()
    .min(1)
    .default(30_000)
    .describe('A session closes when none of its rows came for this long, in ms of the clock or of event time.'),
  maxOpenMs: z
    .int()
    .min(1)
    .default(3_600_000)
    .describe('A session that goes on for longer closes and is forgotten, in ms: what comes later is one of its own.'),
  maxLateMs: z
    .int()
    .min(0)
    .default(600_000)
    .describe('A closed session is remembered for this long, in ms: a late row tells it again.'),
  maxParked: z
    .int()
    .min(1)
    .default(100_000)
    .describe('Rows held, those of remembered sessions too; beyond it the session that waited longest is let go.'),
  maxParkedBytes: z
    .int()
    .min(1)
    .default(128 * 1024 * 1024)
    .describe(
      'Memory of the rows held, in bytes as it is estimated; beyond it the session that waited longest is let go.',
    ),
  maxOpen: z
    .int()
    .min(1)
    .default(50_000)
    .describe('Sessions open at a time; beyond it the one that waited longest closes as it is.'),
  maxKeys: z
    .int()
    .min(1)
    .max(2 ** 24)
    .default(1_000_000)
    .describe('Names of forgotten sessions known, 24 to 48 bytes each: what comes too late is marked.'),
};
export type SessionLimits = z.output<z.ZodObject<typeof sessionOptions>>;

/** Why a session closed. */
export type SessionEnd = 'idle' | 'long' | 'bound' | 'end';

/** What a row is known by. */
export interface SessionKeys<In> {
  /**
   * Rows that share a name, directly or through others, are one session. One name at least. Names of one place in the list
   * are of one kind: names of two kinds are never the same.
   */
  names(row: In): readonly (string | undefined)[];
  /** Two rows of one id are one, unless they differ, or `isOne` tells them apart. */
  id(row: In): string;
  /** Whether two rows of one id are of one thing. Without it they are: a short id is found sooner, and takes less memory. */
  isOne?(one: In, other: In): boolean;
  /** Whether two rows of one id say the same: the second is a copy then. */
  isSame(one: In, other: In): boolean;
  /** When it happened, in ms since 1970, where the row says. */
  time(row: In): number | undefined;
  /** Whether a row says nothing by itself: a session of such rows alone leaves no name when it is forgotten. */
  isAside?(row: In): boolean;
  /** About how many bytes of memory a row takes. Without it rows are bound by their number alone. */
  size?(row: In): number;
}

export interface SessionPorts {
  /**
   * Whether a session of one of these names, each of the kind of its place, was told and forgotten before this process, or
   * another part of it, began. What comes under such a name is late.
   */
  wasTold?(names: readonly (string | undefined)[]): boolean;
}

/** One row in its session. */
interface Piece<In> {
  readonly row: In;
  /** The one before it that has the same id and says something else. */
  readonly earlier: Piece<In> | undefined;
  isTold: boolean;
}

/** Rows that belong together. */
export interface Session<In> {
  readonly pieces: Piece<In>[];
  readonly held: Held;
  /** It goes by the name of a session that is forgotten. */
  readonly isLate: boolean;
}

interface Open<In> extends Session<In>, Linked<Open<In>> {
  /** The last piece of each id. */
  readonly byId: Map<string, Piece<In>>;
  readonly names: Name[];
  /** The names of the row that came last. */
  latest: readonly (string | undefined)[];
  /** Rows and copies of them. */
  parked: number;
  bytes: number;
  isLate: boolean;
  openedMs: number;
  touchedMs: number;
  /** Event time when it was touched: the latest that any row had told by then. */
  mark: number;
}

interface Name {
  readonly kind: number;
  readonly name: string;
}

interface Told<In> {
  /** A session closed: tell its rows. Called before it can be let go. */
  close(session: Session<In>, why: SessionEnd): void;
  /** `late`, `too_late`, `duplicate`, `forgotten`, `forgotten_early`. */
  count(what: string): void;
}

/**
 * Keep sessions: rows gathered by the names they share. A session closes when it was idle by the clock or by the event
 * time of the rows around it, when it lasts too long, or when too much is held; it is remembered for late rows, and then
 * forgotten. Times are of the caller's clock, in ms, and never go back. Cost: constant a row, and the smaller of two sessions when a row joins them.
 */
export function createSessionStore<In>(
  keys: SessionKeys<In> & SessionPorts,
  limits: SessionLimits,
  { close: tell, count }: Told<In>,
) {
  const { maxIdleMs, maxOpenMs, maxLateMs, maxParked, maxParkedBytes, maxOpen, maxKeys } = limits;
  const byName: Map<string, Open<In>>[] = []; // by the kind of the name
  const gone = createKeySet(maxKeys);
  // in both the one touched longest ago comes first, so that no pass looks at sessions that can wait
  const open = new LinkedList<Open<In>>();
  const remembered = new LinkedList<Open<In>>();
  let parked = 0;
  let bytes = 0;
  let mark = 0;

  const close = (session: Open<In>, why: SessionEnd): void => {
    remembered.add(session);
    count(`closed_${why}`);
    tell(session, why);
    for (const piece of session.pieces) piece.isTold = true;
  };
  const forget = (session: Open<In>, what: string): void => {
    session.list?.delete(session);
    parked -= session.parked;
    bytes -= session.bytes;
    const isNothing = session.pieces.every(({ row }) => keys.isAside?.(row));
    for (const { kind, name } of session.names) {
      byName[kind]?.delete(name);
      if (!isNothing) gone.add(goneName(kind, name));
    }
    count(what);
    session.held.release();
  };
  const touch = (session: Open<In>, now: number): void => {
    session.touchedMs = now;
    session.mark = mark;
    open.add(session);
  };
  /** The session that all the names are of. */
  const homeOf = (names: readonly (string | undefined)[]): Open<In> | undefined => {
    let home: Open<In> | undefined;
    for (let kind = 0; kind < names.length; kind++) {
      const name = names[kind];
      if (name === undefined || (home && home.latest[kind] === name)) continue;
      const session = byName[kind]?.get(name);
      if (!session || (home && session !== home)) return undefined;
      home = session;
    }
    return home;
  };
  const sessionOf = (given: readonly (string | undefined)[], now: number): Open<In> => {
    const home = homeOf(given);
    if (home) return home; // most rows: nothing new is said
    const names = given.flatMap((name, kind) => (name === undefined ? [] : [{ kind, name }]));
    const known = [...new Set(names.flatMap(({ kind, name }) => byName[kind]?.get(name) ?? []))];
    const [largest = fresh<In>(now), ...others] = known.sort((a, b) => b.pieces.length - a.pieces.length);
    for (const other of others) {
      join(largest, other, keys.id);
      other.list?.delete(other);
    }
    if (known.length === 0 && (names.some(({ kind, name }) => gone.has(goneName(kind, name))) || keys.wasTold?.(given)))
      largest.isLate = true;
    for (const one of [...others.flatMap((other) => other.names), ...names]) {
      const { kind, name } = one;
      const all = byName[kind] ?? new Map<string, Open<In>>();
      byName[kind] = all;
      if (all.get(name) === largest) continue;
      all.set(name, largest);
      largest.names.push(one);
    }
    return largest;
  };
  const tick = (now: number): void => {
    for (let next = open.first; next; next = open.first) {
      if (now - next.touchedMs < maxIdleMs && mark - next.mark < maxIdleMs) break;
      close(next, 'idle');
    }
    for (let next = remembered.first; next; next = remembered.first) {
      if (now - next.touchedMs < maxIdleMs + maxLateMs) break;
      forget(next, 'forgotten');
    }
  };
  const letGo = (): boolean => {
    const session = remembered.first ?? open.first; // what was told already goes first
    if (!session) return false;
    if (session.list === open) close(session, 'bound');
    forget(session, 'forgotten_early');
    return true;
  };
  const keepBounds = (now: number, current: Open<In>): void => {
    if (now - current.openedMs >= maxOpenMs) {
      if (current.list === open) close(current, 'long');
      forget(current, 'forgotten');
    }
    while (open.size > maxOpen && open.first) close(open.first, 'bound');
    while ((parked > maxParked || bytes > maxParkedBytes) && letGo());
  };
  return {
    /** Take a row. False: it is a copy of one that is here, and nothing is told of it. */
    add({ row, receipt }: Tracked<In>, now: number): boolean {
      const [names, id, time] = [keys.names(row), keys.id(row), keys.time(row)];
      if (time !== undefined && time > mark) mark = time;
      tick(now);
      const session = sessionOf(names, now);
      const last = session.byId.get(id);
      session.held.add(receipt);
      session.parked++;
      parked++;
      if (last && isKnown(row, last, keys)) {
        count('duplicate');
        keepBounds(now, session);
        return false;
      }
      if (session.pieces.length === 0 && session.isLate) count('too_late');
      if (session.list === remembered) count('late');
      const piece = { row, earlier: last, isTold: false };
      session.byId.set(id, piece);
      session.pieces.push(piece);
      const size = keys.size?.(row) ?? 0;
      session.bytes += size;
      bytes += size;
      session.latest = names;
      touch(session, now);
      keepBounds(now, session);
      return true;
    },
    tick,
    /** Close and forget everything: the stream ended. */
    end(): void {
      while (open.first) close(open.first, 'end');
      while (remembered.first) forget(remembered.first, 'forgotten');
    },
    figures: () => ({ open_sessions: open.size, remembered_sessions: remembered.size, parked_rows: parked }),
  };
}

/** Rows of one id that differ are all kept, up to this many: one that is sent again and again is not held for ever. */
const maxVersions = 16;

function isKnown<In>(row: In, last: Piece<In>, { isSame, isOne = () => true }: SessionKeys<In>): boolean {
  let versions = 0;
  for (let piece: Piece<In> | undefined = last; piece; piece = piece.earlier)
    if (isOne(piece.row, row) && (isSame(piece.row, row) || ++versions >= maxVersions)) return true;
  return false;
}

const goneName = (kind: number, name: string): string => `${kind} ${name}`;

const fresh = <In>(now: number): Open<In> => ({
  pieces: [],
  byId: new Map(),
  names: [],
  latest: [],
  parked: 0,
  bytes: 0,
  held: Receipt.hold(),
  isLate: false,
  openedMs: now,
  touchedMs: now,
  mark: 0,
  list: undefined,
  before: undefined,
  after: undefined,
});

/** Put a session into another: what is made of them from now on is made of both. */
function join<In>(into: Open<In>, from: Open<In>, idOf: (row: In) => string): void {
  for (const { row, isTold } of from.pieces) {
    const id = idOf(row);
    const piece = { row, earlier: into.byId.get(id), isTold };
    into.byId.set(id, piece);
    into.pieces.push(piece);
  }
  into.parked += from.parked;
  into.bytes += from.bytes;
  into.openedMs = Math.min(into.openedMs, from.openedMs);
  into.isLate ||= from.isLate;
  into.held.absorb(from.held);
}
