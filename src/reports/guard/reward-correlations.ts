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
  const graded = rows.flatMap((row) => {
    const label = groupLabel(row);
    return label === undefined ? [] : [{ row, label, reply: replyOf(row) }];
  });
  const lists = phraseLists();
  const columns: Record<string, number[]> = {
    reply_length: graded.map(({ reply }) => reply.length),
    tool_calls: graded.map(({ reply }) => reply.calls.length),
    assistant_turns: graded.map(({ reply }) => reply.turns.length),
  };
  const folded = graded.map(({ reply }) => foldPhrase(reply.said));
  for (const [name, marker] of Object.entries(tics))
    columns[name] = folded.map((said) => (lists[marker]?.testFolded(said) ? 1 : 0));
  const flags = graded.map(({ row }) => usualFlags(row));
  for (const flag of traceFlagNames) {
    const fired = flags.map((found): number => (flag in found ? 1 : 0));
    if (fired.includes(1)) columns[flag] = fired;
  }
  const labels = graded.map(({ label }) => label);
  const exact = Object.entries(columns).map(([name, values]) => [name, pearson(values, labels)] as const);
  const flagged = exact.filter(([, r]) => r !== null && Math.abs(r) >= threshold);
  return {
    n_graded: graded.length,
    threshold,
    correlations: Object.fromEntries(exact.map(([name, r]) => [name, round3(r)])),
    flagged: Object.fromEntries(flagged.map(([name, r]) => [name, round3(r)])),
  };
}

const round3 = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000) / 1000);
