import { z } from 'zod';
import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { groupLabel } from '../../rows/label.ts';
import { replyOf } from '../../rows/reply.ts';
import { pearson } from '../../stats/pearson.ts';
import { foldPhrase } from '../../text/phrases.ts';
import { phraseLists } from './style-phrases.ts';
import { traceFlagNames, usualFlags } from './trace/trace-flags.ts';

const options = z.strictObject({
  threshold: z.number().min(0).max(1).default(0.3).describe('Correlation, either way, from which a column is flagged.'),
});
const tics = {
  boilerplate: 'no_boilerplate',
  hedging: 'no_hedging',
  sycophancy: 'no_sycophancy',
  refusal: 'answered',
} as const;

/**
 * Correlate the 0/1 label with what replies look like, over all graded rows: length, calls, turns, style tics and every
 * trace flag that fired. Null where a column does not vary or fewer than 3 rows are graded. Difficulty is mixed in:
 * `hackScan` tells what happens within a task.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 14
 */
export function rewardCorrelations(rows: readonly JsonObject[], given: z.input<typeof options> = {}) {
  const { threshold } = parseOptions('rewardCorrelations', options, given);
  const graded = rows.filter((row) => groupLabel(row) !== undefined);
  const labels = Uint8Array.from(graded, (row) => groupLabel(row) ?? 0);
  const columns = columnsOf(graded);
  const exact = [...columns].map(([name, values]) => [name, pearson(values, labels)] as const);
  const flagged = exact.filter(([, r]) => r !== null && Math.abs(r) >= threshold);
  return {
    n_graded: graded.length,
    threshold,
    correlations: Object.fromEntries(exact.map(([name, r]) => [name, round3(r)])),
    flagged: Object.fromEntries(flagged.map(([name, r]) => [name, round3(r)])),
  };
}

/** What replies look like, in the order of the report: a text is folded and looked through once for all lists. */
function columnsOf(graded: readonly JsonObject[]): ReadonlyMap<string, ArrayLike<number>> {
  const n = graded.length;
  const [reply_length, tool_calls, assistant_turns] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  const lists = phraseLists();
  const phrases = Object.entries(tics).map(([name, marker]) => ({
    name,
    list: lists[marker],
    said: new Uint8Array(n),
  }));
  const flags = new Map<string, Uint8Array>();
  graded.forEach((row, at) => {
    const reply = replyOf(row);
    reply_length[at] = reply.length;
    tool_calls[at] = reply.calls.length;
    assistant_turns[at] = reply.turns.length;
    const folded = foldPhrase(reply.said);
    for (const { list, said } of phrases) if (list?.testFolded(folded)) said[at] = 1;
    for (const flag of Object.keys(usualFlags(row))) {
      const fired = flags.get(flag) ?? new Uint8Array(n);
      fired[at] = 1;
      flags.set(flag, fired);
    }
  });
  return new Map<string, ArrayLike<number>>([
    ...Object.entries({ reply_length, tool_calls, assistant_turns }),
    ...phrases.map(({ name, said }) => [name, said] as const),
    ...traceFlagNames.flatMap((flag) => {
      const fired = flags.get(flag);
      return fired ? [[flag, fired] as const] : [];
    }),
  ]);
}

const round3 = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000) / 1000);
