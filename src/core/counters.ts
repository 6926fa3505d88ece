import { z } from 'zod';
import type { Gauges, Hooks, Rejection, Tally } from './operator.ts';

const counts = z.record(z.string(), z.number());

/** What one operator of one stage did so far. Sources and sinks are counted as the operators `source` and `sink`. */
export const operatorCountsSchema = z.object({
  stage: z
    .string()
    .describe("Name of the stage; empty for an operator of no stage; a source's or sink's is the kind of its rows."),
  operator: z.string(),
  in: z.int().min(0),
  out: z.int().min(0),
  rejected: counts.readonly().describe('Rows rejected, by reason.'),
  counts: counts.readonly().describe('What else happened, by name: `closed_full`, `replayed`, `timeout`, `lost` ...'),
  in_flight: z
    .int()
    .describe('Rows taken whose answer is not known yet. in = out + rejected + in_flight where one row gives one.'),
  mean_ms: z.number().optional().describe('Mean time of its calls, in ms; absent where it makes none.'),
  gauges: counts
    .readonly()
    .optional()
    .describe(
      'Figures of the moment: `lag` (records not committed), `oldest_ms` (age of the oldest that is not done) ...',
    ),
});
export type OperatorCounts = Readonly<z.output<typeof operatorCountsSchema>>;

interface Counted extends Tally {
  readonly rejected: Record<string, number>;
  readonly counts: Record<string, number>;
  readonly gauges: Set<() => Gauges>;
}

/**
 * Count what every operator of a run does: give `hooks` to the run, read `snapshot()` at any time. Memory: some numbers for
 * each operator. `also` is told of rejections and counts besides.
 */
export function createCounters(also: Hooks = {}): {
  readonly hooks: Hooks;
  readonly snapshot: () => readonly OperatorCounts[];
} {
  const stages = new Map<string, Map<string, Counted>>();
  const counted = (by: string, stage = ''): Counted => {
    const operators = stages.get(stage) ?? new Map<string, Counted>();
    stages.set(stage, operators);
    const found = operators.get(by) ?? { in: 0, out: 0, inFlight: 0, rejected: {}, counts: {}, gauges: new Set() };
    operators.set(by, found);
    return found;
  };
  return {
    hooks: {
      reject(said: Rejection<unknown>): void {
        const { rejected } = counted(said.by, said.stage);
        rejected[said.reason] = (rejected[said.reason] ?? 0) + 1;
        also.reject?.(said);
      },
      count(by, what, stage): void {
        const { counts } = counted(by, stage);
        counts[what] = (counts[what] ?? 0) + 1;
        also.count?.(by, what, stage);
      },
      tally: counted,
      gauge(by, read, stage) {
        const { gauges } = counted(by, stage);
        gauges.add(read);
        return () => void gauges.delete(read);
      },
    },
    snapshot: () =>
      [...stages].flatMap(([stage, operators]) =>
        [...operators].map(([operator, counted]) => ({ stage, operator, ...figuresOf(counted) })),
      ),
  };
}

function figuresOf({ in: taken, out, inFlight, callMs, rejected, counts, gauges }: Counted) {
  return {
    in: taken,
    out,
    rejected: { ...rejected },
    counts: { ...counts },
    in_flight: inFlight,
    ...(callMs !== undefined && { mean_ms: callMs / Math.max(1, taken - inFlight) }),
    ...(gauges.size > 0 && { gauges: [...gauges].map((read) => read()).reduce(together, {}) }),
  };
}

/** Figures of several processes or partitions as one: ages by the oldest, counts by their sum. */
function together(all: Gauges, more: Gauges): Gauges {
  const sums: Record<string, number> = { ...all };
  for (const [name, value] of Object.entries(more)) {
    const before = sums[name] ?? 0;
    sums[name] = name.endsWith('_ms') ? Math.max(before, value) : before + value;
  }
  return sums;
}
