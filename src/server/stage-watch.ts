import type { OperatorCounts } from '../core/counters.ts';
import type { StageFigures } from './live-events.ts';

interface Watched {
  readonly worker: string;
  counts: OperatorCounts;
  at: number;
  movedAt: number;
  inPerS: number;
  outPerS: number;
  hasEnded: boolean;
}

/** What is wrong with a stage: `stalled` (something waits, nothing moves) or `silent` (its worker says nothing any more). */
export interface StageFault {
  readonly stage: string;
  readonly operator: string;
  readonly worker: string;
  readonly what: 'stalled' | 'silent';
  readonly for_ms: number;
}

/** The figures of all workers, over time. */
export interface StageWatch {
  /** What a worker says of its operators; `hasEnded` when it was its last word. */
  take(worker: string, at: number, operators: readonly OperatorCounts[], hasEnded?: boolean): void;
  /** One entry for each operator of each stage, workers together. */
  figures(now: number): readonly StageFigures[];
  faults(now: number): readonly StageFault[];
  workers(): readonly { readonly worker: string; readonly counts: OperatorCounts }[];
}

const forgetMs = 600_000;

/**
 * Watch what stages do, here and in other processes. An operator is stalled when records wait for it or are in its hands and
 * it has neither taken nor given one for `stallMs`. Memory: some numbers for each operator of each worker; a worker that is
 * silent for 10 minutes is forgotten, whatever it held.
 */
export function createStageWatch({ stallMs = 60_000, silentMs = 30_000 } = {}): StageWatch {
  const watched = new Map<string, Watched>();
  const waits = ({ counts, hasEnded }: Watched): boolean => !hasEnded && hasWork(counts);
  const faultOf = (one: Watched, now: number): StageFault | undefined => {
    if (!waits(one)) return undefined;
    const { stage, operator } = one.counts;
    const place = { stage, operator, worker: one.worker };
    if (now - one.at > silentMs) {
      // another worker has taken over what it held: it speaks, or has done its part after it
      const isReplaced = [...watched.values()].some(
        ({ worker, counts, at, hasEnded }) =>
          worker !== one.worker &&
          counts.stage === stage &&
          counts.operator === operator &&
          (now - at <= silentMs || at - one.at > silentMs || (hasEnded && at > one.at)),
      );
      return isReplaced ? undefined : { ...place, what: 'silent', for_ms: now - one.at };
    }
    return now - one.movedAt > stallMs ? { ...place, what: 'stalled', for_ms: now - one.movedAt } : undefined;
  };
  return {
    take(worker, at, operators, hasEnded = false) {
      for (const counts of operators) {
        const key = JSON.stringify([worker, counts.stage, counts.operator]);
        const before = watched.get(key);
        if (!before) watched.set(key, { worker, counts, at, movedAt: at, inPerS: 0, outPerS: 0, hasEnded });
        else if (at >= before.at) renew(before, counts, at, hasEnded); // else it was told late
      }
      for (const [key, one] of watched) if (at - one.at > forgetMs) watched.delete(key);
    },
    figures(now) {
      const together = new Map<string, StageFigures>();
      for (const one of watched.values()) {
        const { stage, operator } = one.counts;
        const key = JSON.stringify([stage, operator]);
        const sum = together.get(key) ?? { ...nothing, stage, operator, place: together.size };
        together.set(key, added(sum, one, faultOf(one, now) !== undefined));
      }
      return [...together.values()];
    },
    faults: (now) => [...watched.values()].flatMap((one) => faultOf(one, now) ?? []),
    workers: () => [...watched.values()].map(({ worker, counts }) => ({ worker, counts })),
  };
}

const lagOf = ({ gauges }: OperatorCounts) => gauges?.['lag'] ?? 0;
const hasWork = (counts: OperatorCounts) => counts.in_flight > 0 || lagOf(counts) > 0;

/** Take newer figures of an operator, and see whether it moved. A worker that started again counts from 0. */
function renew(one: Watched, counts: OperatorCounts, at: number, hasEnded: boolean): void {
  const { counts: before } = one;
  const seconds = Math.max(0.001, (at - one.at) / 1000);
  const [taken, given] = [Math.max(0, counts.in - before.in), Math.max(0, counts.out - before.out)];
  const isStarted = counts.in < before.in || (!hasWork(before) && hasWork(counts));
  if (taken + given > 0 || lagOf(counts) < lagOf(before) || isStarted) one.movedAt = at;
  [one.inPerS, one.outPerS] = [taken / seconds, given / seconds];
  [one.counts, one.at, one.hasEnded] = [counts, at, hasEnded];
  if (hasEnded) [one.inPerS, one.outPerS] = [0, 0];
}

function added(
  before: StageFigures,
  { counts, at, inPerS, outPerS, hasEnded }: Watched,
  isStalled: boolean,
): StageFigures {
  const { gauges = {} } = counts;
  const calls = counts.in - counts.in_flight;
  const weight = calls / Math.max(1, calls + before.in - before.in_flight);
  const { mean_ms = before.mean_ms } = counts;
  const mean = mean_ms === undefined ? undefined : (before.mean_ms ?? mean_ms) * (1 - weight) + mean_ms * weight;
  const lag = both(before.lag, gauges['lag'], (a, b) => a + b);
  const oldest = both(before.oldest_ms, gauges['oldest_ms'], Math.max);
  return {
    ...before,
    workers: before.workers + Number(!hasEnded),
    in: before.in + counts.in,
    out: before.out + counts.out,
    in_per_s: before.in_per_s + inPerS,
    out_per_s: before.out_per_s + outPerS,
    rejected: sums(before.rejected, counts.rejected),
    counts: sums(before.counts, counts.counts),
    in_flight: before.in_flight + counts.in_flight,
    ...(mean !== undefined && { mean_ms: mean }),
    ...(lag !== undefined && { lag }),
    ...(oldest !== undefined && { oldest_ms: oldest }),
    is_stalled: isStalled || before.is_stalled,
    at_ms: Math.max(at, before.at_ms),
  };
}

const rates = { in_per_s: 0, out_per_s: 0 };
const nothing: Omit<StageFigures, 'stage' | 'operator' | 'place'> = {
  ...{ workers: 0, in: 0, out: 0, in_flight: 0, rejected: {}, counts: {}, is_stalled: false, at_ms: 0 },
  ...rates,
};

function both(a: number | undefined, b: number | undefined, join: (a: number, b: number) => number) {
  return a === undefined || b === undefined ? (a ?? b) : join(a, b);
}

function sums(all: Readonly<Record<string, number>>, more: Readonly<Record<string, number>>): Record<string, number> {
  const result = { ...all };
  for (const [name, n] of Object.entries(more)) result[name] = (result[name] ?? 0) + n;
  return result;
}
