import { RecentMap } from '../core/recent-map.ts';

/** A stretch of time, in nanoseconds since 1970. */
export interface Stretch {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** A call of a tool, or the person's turn, in a rollout. */
export interface Act extends Stretch {
  readonly kind: 'tool' | 'user';
}

/** When a rollout was played, with all that was done in it but the model's own turns, and when it was judged. */
export interface RolloutTimes {
  readonly played?: Stretch & { readonly acts: readonly Act[] };
  readonly judged?: Stretch;
}

/** Takes the times of one rollout down. */
export interface Stopwatch {
  /** Something begins; call the answer when it ends. */
  act(kind: Act['kind']): () => void;
  /** The rollout ended as this one. */
  end(rolloutId: string): void;
}

/**
 * Keeps when rollouts were played and judged, for those who tell it on. No row says it: two runs of one seed have the same
 * rows. Memory: the times of the last `maxRollouts`.
 */
export interface TimeBook {
  begin(): Stopwatch;
  /** A judge begins with a rollout; call the answer when it is done. */
  judge(rolloutId: string): () => void;
  of(rolloutId: string): RolloutTimes;
}

/** Open a book of times. `now` is a clock in nanoseconds. */
export function timeBook(now: () => bigint, maxRollouts = 20_000): TimeBook {
  const known = new RecentMap<string, RolloutTimes>(maxRollouts);
  const put = (id: string, more: RolloutTimes): void => void known.set(id, { ...known.get(id), ...more });
  return {
    begin() {
      const fromNs = now();
      const acts: Act[] = [];
      return {
        act(kind) {
          const begun = now();
          return () => void acts.push({ kind, fromNs: begun, toNs: now() });
        },
        end: (id) =>
          put(id, { played: { fromNs, toNs: now(), acts: acts.sort((a, b) => (a.fromNs < b.fromNs ? -1 : 1)) } }),
      };
    },
    judge(id) {
      const fromNs = now();
      return () => put(id, { judged: { fromNs, toNs: now() } });
    },
    of: (id) => known.get(id) ?? {},
  };
}
