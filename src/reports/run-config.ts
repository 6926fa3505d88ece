import { z } from 'zod';
import { type Fold, foldRows } from '../core/fold.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import { answerOf } from '../rows/answer.ts';
import { rewardOf } from '../rows/label.ts';
import { spokenOf } from '../rows/spoken.ts';
import { share } from './round.ts';

const options = z.strictObject({
  nTasks: z.int().min(0).optional().describe('Tasks of the run, as the caller counted them.'),
  k: z.int().min(1).optional().describe('Rollouts a task, as the caller counted them.'),
});

/** Settings that two runs must share to be compared, and where a row carries each. */
const settings = {
  temperature: (row: JsonObject) => inside(row, 'sampling', 'temperature'),
  max_tokens: (row: JsonObject) => inside(row, 'sampling', 'max_tokens'),
  policy_version: (row: JsonObject) => row['policy_version'],
  judge_version: (row: JsonObject) => inside(row, 'judge_meta', 'version') ?? inside(row, 'lineage', 'judge_version'),
  prompt_hash: (row: JsonObject) => inside(row, 'lineage', 'system_prompt_sha') ?? hashIn(row['policy_version']),
  user_model: (row: JsonObject) => row['user_model'],
  writer_model: (row: JsonObject) => row['writer_model'],
};
type Setting = keyof typeof settings;
const settingNames = Object.keys(settings) as Setting[];

/** What the configuration of a run is read from. Counts, and at most one value a setting. */
export interface RunConfigState {
  rows: number;
  graded: number;
  /** Rows with a finish reason, and those cut at the length limit. */
  finished: number;
  truncated: number;
  /** Rows with a reply field, those with words outside the thinking, and those whose thinking was never closed. */
  replies: number;
  answered: number;
  cut: number;
  readonly values: Partial<Record<Setting, unknown>>;
  readonly mixed: Set<Setting>;
}

/** How a run was made: one value a setting when all rows that carry it agree, and shares with 4 digits. */
export interface RunConfig extends Readonly<Record<Setting, unknown>> {
  readonly n_tasks: number | null;
  readonly k: number | null;
  /** Settings with more than one value; those are null. */
  readonly mixed: readonly Setting[];
  readonly truncated_share: number | null;
  readonly answered_share: number | null;
  readonly unclosed_think_share: number | null;
  readonly graded_share: number | null;
}

/**
 * Read how a run was made from its rows: model settings, versions and who wrote and played the user, with the shares of
 * rows that were cut, answered and graded.
 *
 * Cost: one pass over the reply of each row; memory: one value a setting.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 16
 */
export function runConfig(rows: Iterable<unknown>, config: z.input<typeof options> = {}): RunConfig {
  return foldRows(runConfigFold(config), rows);
}

/** `runConfig` a row at a time. */
export function runConfigFold(config: z.input<typeof options> = {}): Fold<unknown, RunConfigState, RunConfig> {
  const { nTasks, k } = parseOptions('runConfig', options, config);
  return {
    start: startConfig,
    add: (state, row) => {
      if (isObject(row)) addToConfig(state, row);
    },
    merge: mergeConfig,
    end: (state) => configOf(state, { n_tasks: nTasks ?? null, k: k ?? null }),
  };
}

export const startConfig = (): RunConfigState => ({
  rows: 0,
  graded: 0,
  finished: 0,
  truncated: 0,
  replies: 0,
  answered: 0,
  cut: 0,
  values: {},
  mixed: new Set(),
});

export function addToConfig(state: RunConfigState, row: JsonObject): void {
  state.rows++;
  if (rewardOf(row) !== undefined) state.graded++;
  const finish = row['finish_reason'];
  if (typeof finish === 'string') {
    state.finished++;
    if (finish === 'length') state.truncated++;
  }
  const answer = answerOf(row);
  if (answer !== undefined) {
    const { text, isCut } = spokenOf(answer);
    state.replies++;
    if (text.trim() !== '') state.answered++;
    if (isCut) state.cut++;
  }
  for (const name of settingNames) see(state, name, settings[name](row));
}

export function mergeConfig(into: RunConfigState, from: RunConfigState): void {
  for (const count of ['rows', 'graded', 'finished', 'truncated', 'replies', 'answered', 'cut'] as const)
    into[count] += from[count];
  for (const name of settingNames) see(into, name, from.values[name]);
  for (const name of from.mixed) into.mixed.add(name);
}

export function configOf(state: RunConfigState, counted: { n_tasks: number | null; k: number | null }): RunConfig {
  const settled = (name: Setting) => (state.mixed.has(name) ? null : (state.values[name] ?? null));
  return {
    ...counted,
    ...(Object.fromEntries(settingNames.map((name) => [name, settled(name)])) as Record<Setting, unknown>),
    mixed: settingNames.filter((name) => state.mixed.has(name)),
    truncated_share: share(state.truncated, state.finished),
    answered_share: share(state.answered, state.replies),
    unclosed_think_share: share(state.cut, state.replies),
    graded_share: share(state.graded, state.rows),
  };
}

function see(state: RunConfigState, name: Setting, value: unknown): void {
  if (value === undefined || value === null || value === '') return;
  const known = state.values[name];
  if (known === undefined) state.values[name] = value;
  else if (known !== value) state.mixed.add(name);
}

function inside(row: JsonObject, block: string, name: string): unknown {
  const object = row[block];
  return isObject(object) ? (object[name] ?? undefined) : undefined;
}

/** A policy version is `<model>@<hash of its system prompt>`. */
function hashIn(version: unknown): string | undefined {
  if (typeof version !== 'string' || !version.includes('@')) return undefined;
  return version.slice(version.lastIndexOf('@') + 1);
}
