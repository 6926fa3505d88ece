import { RecentMap } from '../core/recent-map.ts';
import { type LiveItem, type LiveSection, liveSections } from './live-events.ts';

/** Items that are kept of each section; the one that changed least recently is forgotten first. */
const limits: Readonly<Record<LiveSection, number>> = {
  stages: 500,
  rollouts: 2000,
  coverage: 4000,
  pass: 600,
  runs: 200,
  history: 2000,
  alarms: 200,
  agreement: 600,
};

interface Kept {
  readonly rev: number;
  readonly item: unknown;
}
type Lists = { [Name in LiveSection]?: LiveItem<Name>[] };

/** What a page shows, with the order in which it changed. Readers ask for what is new to them: none holds a queue. */
export interface Board {
  /** `isNew` says whether it counts, for whoever remembers more than is kept here. */
  put<Name extends LiveSection>(section: Name, key: string, item: LiveItem<Name>, isNew?: boolean): void;
  /** Something that stands in no section has changed. */
  touch(): void;
  /** The number of the last change. */
  rev(): number;
  /** The sections that changed after that number, with what is new in them; everything that is kept without one. */
  since(rev?: number): Lists;
  /** Items ever put that were new, by section. */
  totals(): Readonly<Record<string, number>>;
  /** Be told of each change; returns how to end it. */
  onChange(listener: () => void): () => void;
}

/** Make an empty board. Memory: the limits above, whatever comes. Cost of a change: one map entry. */
export function createBoard(): Board {
  const names = Object.keys(liveSections) as LiveSection[];
  const sections = new Map(
    names.map((name) => [name, { last: 0, total: 0, items: new RecentMap<string, Kept>(limits[name]) }]),
  );
  const listeners = new Set<() => void>();
  let rev = 0;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    put(name, key, item, isNew) {
      const section = sections.get(name);
      if (!section) return;
      rev++;
      section.total += Number(isNew ?? !section.items.has(key));
      section.items.set(key, { rev, item });
      section.last = rev;
      tell();
    },
    touch() {
      rev++;
      tell();
    },
    rev: () => rev,
    since(seen = -1) {
      const lists: Record<string, unknown[]> = {};
      for (const [name, { last, items }] of sections) {
        if (last <= seen) continue;
        lists[name] = [...items.values()].filter((kept) => kept.rev > seen).map(({ item }) => item);
      }
      return lists as Lists;
    },
    totals: () => Object.fromEntries([...sections].map(([name, { total }]) => [name, total])),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
