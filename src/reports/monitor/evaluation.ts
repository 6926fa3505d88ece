import type { JsonObject } from '../../core/json-object.ts';
import { attachJudgment } from '../../rows/attach-judgment.ts';
import { contentText } from '../../rows/content-text.ts';
import { loggedNumber } from '../../rows/logged-number.ts';
import type { MonitorEvent, Sampled } from '../../rows/monitor-event.ts';
import { mean } from '../../stats/moments.ts';

export type EvalEvent = Extract<MonitorEvent, { readonly type: 'eval' }>;

/** Make a row of each completion. Its task is its place in the holdout: asks of equal text stay two tasks. */
export function evaluationRows({ groups, prompts }: EvalEvent): JsonObject[] {
  return groups.flatMap((group, task) =>
    group.map((sampled, rollout_index) => {
      const final_text = sampled.text;
      const prompt = promptText(prompts?.[task] ?? '');
      const messages = [
        ...(prompt === '' ? [] : [{ role: 'user', content: prompt }]),
        { role: 'assistant', content: final_text },
      ];
      return judged({ prompt, task_id: String(task), rollout_index, final_text, steps: [], messages }, sampled);
    }),
  );
}

/** Name the text that a prompt asks with: the last thing the user said, or the text itself. */
export function promptText(prompt: unknown): string {
  if (typeof prompt === 'string') return prompt;
  const said = (Array.isArray(prompt) ? prompt : []) as readonly JsonObject[];
  return contentText(said.findLast(({ role }) => role === 'user')?.['content'] ?? '');
}

function judged(row: JsonObject, { proxy, gold: given }: Sampled): JsonObject {
  const gold = typeof given === 'number' && Number.isFinite(given) ? given : undefined;
  const whole = { ...row, markers: { proxy: loggedNumber(proxy), ...(gold !== undefined && { gold }) } };
  if (gold === undefined) return whole;
  return attachJudgment(whole, {
    rollout_id: `${row['task_id']}#${row['rollout_index']}`,
    scorer: { name: 'gold', kind: 'judge' },
    reward: gold > 0.5 ? 1 : 0, // the even neighbour of a half is 0
    status: 'ok',
  });
}

/** One score of a row: NaN where the proxy gave no number, undefined where nothing was measured. */
export function scoreOf(row: JsonObject, name: 'proxy' | 'gold'): number | undefined {
  const value = (row['markers'] as JsonObject | undefined)?.[name];
  return value === null && name === 'proxy' ? Number.NaN : typeof value === 'number' ? value : undefined;
}

/** Average a score; undefined where no row has one, NaN where one of them is NaN. */
export function meanScore(rows: readonly JsonObject[], name: 'proxy' | 'gold'): number | undefined {
  const values = rows.flatMap((row) => scoreOf(row, name) ?? []);
  return values.length === 0 ? undefined : mean(values);
}

/** Average the characters of the completions; undefined without one. */
export function meanLength(rows: readonly JsonObject[]): number | undefined {
  return rows.length === 0 ? undefined : mean(rows.map(({ final_text }) => [...String(final_text)].length));
}

/** A number that JSON can hold, else null. */
export const finiteOrNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;
