import { isObject } from '../core/json-object.ts';
import { callsMade } from '../rows/calls-made.ts';
import type { Row } from '../rows/row.ts';
import { rowKey, taskKey } from '../rows/task-key.ts';
import type { RolloutHead } from './live-events.ts';

const maxText = 160;

/** Say a rollout in one line. Texts are cut and otherwise as the model wrote them. */
export function rolloutHead(row: Row, at: number): RolloutHead {
  return {
    rollout_id: rowKey(row),
    task: cut(taskKey(row)),
    prompt: cut(row.prompt),
    final_text: cut(row.final_text),
    reward: typeof row.reward === 'number' && Number.isFinite(row.reward) ? row.reward : null,
    judge_status: word(row.judge_status),
    judge_name: word(row.judge_name),
    reason: cut(row.reason),
    failure_class: word(row.failure_class),
    markers: finiteOf(row.markers),
    tools: callsMade(row)
      .slice(0, 32)
      .map(({ tool }) => tool.slice(0, 80)),
    n_messages: row.messages?.length ?? 0,
    cell: cellOf(row),
    at_ms: at,
  };
}

/** The place of a row in the coverage grid, by axis. */
export function cellOf(row: Row): Readonly<Record<string, string>> {
  const cell = row['scenario_dimensions'];
  if (!isObject(cell)) return {};
  const named = Object.entries(cell).flatMap(([axis, value]) =>
    typeof value === 'string' ? [[axis.slice(0, 80), value.slice(0, 80)] as const] : [],
  );
  return Object.fromEntries(named.slice(0, 12));
}

/** Cut a text between characters, never through one. */
function cut(text: unknown): string {
  const whole = typeof text === 'string' ? text : '';
  return whole.length <= maxText ? whole : `${whole.slice(0, maxText).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
const word = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 80) : null);

function finiteOf(markers: unknown): Record<string, number> {
  if (!isObject(markers)) return {};
  const numbers = Object.entries(markers).filter((one): one is [string, number] => Number.isFinite(one[1]));
  return Object.fromEntries(numbers.slice(0, 64).map(([name, value]) => [name.slice(0, 80), value]));
}
