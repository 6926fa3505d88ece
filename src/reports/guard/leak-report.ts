import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { replyOf } from '../../rows/reply.ts';
import { foldText } from '../../text/fold.ts';

const options = z.strictObject({
  minLen: z.int().min(1).default(12).describe('Shortest privileged text that is searched, in folded characters.'),
});

/** A privileged text that the agent said. */
export interface PrivilegedLeak {
  /** Path below `privileged`: `reference`, `hidden_state.world_state`. */
  readonly field: string;
  /** Its first 80 characters, folded. */
  readonly needle: string;
}

/**
 * Look for a row's own privileged texts in what the agent said, case and whitespace folded. Null when the row carries none,
 * so that nothing was checked; `{}` when they were checked and not said. Numbers and the rubric are not searched.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 */
export function privilegedLeak(
  row: JsonObject,
  given: z.input<typeof options> = {},
): PrivilegedLeak | Record<string, never> | null {
  return findLeak(row, parseOptions('privilegedLeak', options, given).minLen);
}

/** Say whether the agent quotes the row's own privileged texts. */
export const quotesPrivileged = (row: JsonObject): boolean => 'field' in (findLeak(row, 12) ?? {});

/**
 * Report how many rows quote their own privileged texts. `checked` is false when no row carried any: a clean report of
 * nothing, usually because the rows were scrubbed before.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source house rule
 */
export function leakReport(rows: readonly JsonObject[], given: z.input<typeof options> = {}) {
  const { minLen } = parseOptions('leakReport', options, given);
  const tally = leakTally();
  for (const row of rows) tally.add(row, findLeak(row, minLen));
  return tally.end();
}

/** The same report, row by row; it keeps the first 20 leaks and no row. */
export function leakTally() {
  const leaked: (PrivilegedLeak & { readonly scenario_id: unknown; readonly rollout_index: unknown })[] = [];
  let n_rows = 0;
  let n_checked = 0;
  let n_leaked = 0;
  return {
    add({ scenario_id, rollout_index }: JsonObject, leak: ReturnType<typeof privilegedLeak>): void {
      n_rows++;
      if (leak === null) return;
      n_checked++;
      if (!isLeak(leak)) return;
      n_leaked++;
      const at = { scenario_id: scenario_id ?? null, rollout_index: rollout_index ?? null };
      if (leaked.length < 20) leaked.push({ ...at, field: leak.field, needle: leak.needle });
    },
    end: () => ({
      n_rows,
      n_checked,
      n_leaked,
      rate: n_checked === 0 ? 0 : Math.round((n_leaked / n_checked) * 1e4) / 1e4,
      checked: n_checked > 0,
      leaked,
      summary: summaryOf(n_rows, n_checked, n_leaked),
    }),
  };
}

const isLeak = (leak: PrivilegedLeak | Record<string, never>): leak is PrivilegedLeak => 'field' in leak;

function summaryOf(rows: number, checked: number, leaked: number): string {
  if (checked === 0)
    return `nothing was checked: none of ${rows} rows carries a privileged block (a scrubbed export carries none; check the rows before they are exported)`;
  return leaked === 0
    ? `no reply of ${checked} checked rows quotes its privileged block`
    : `${leaked} of ${checked} checked rows quote their privileged block: drop them before training`;
}

function findLeak(row: JsonObject, minLen: number): PrivilegedLeak | Record<string, never> | null {
  const block = row['privileged'];
  if (!isObject(block)) return null;
  const searched = ['reference', 'principle', 'hidden_state'];
  const needles = searched.flatMap((name) => textsIn(block[name], name)).filter(({ text }) => text.length >= minLen);
  if (needles.length === 0) return null;
  const said = foldText(replyOf(row).said);
  const hit = needles.find(({ text }) => said.includes(text));
  return hit ? { field: hit.field, needle: hit.text.slice(0, 80) } : {};
}

function textsIn(value: unknown, field: string): { readonly field: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ field, text: foldText(value) }];
  if (Array.isArray(value)) return value.flatMap((item, n) => textsIn(item, `${field}.${n}`));
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${field}.${key}`)) : [];
}
