import type { JsonObject } from '../../core/json-object.ts';
import type { GateDecision } from '../../rows/decision.ts';
import { scalarReward } from '../../rows/scalar-reward.ts';
import { taskKey } from '../../rows/task-key.ts';
import type { TaskRate } from './task-rates.ts';

/** The rule that selected, with the numbers it was given. */
export type SelectionRule =
  | {
      readonly mode: 'rl';
      readonly options: {
        readonly target: number;
        readonly lo: number;
        readonly hi: number;
        readonly truncated: 'drop' | 'keep' | 'penalize';
      };
    }
  | { readonly mode: 'sft'; readonly options: { readonly target: number; readonly minReward: number } };

/** The gates in the order that a row meets them, and the words by which each says no. */
const gates = {
  rl: [
    ['prior', ['prior_solved', 'prior_unsolved']],
    ['answer_key', ['privileged_leak']],
    ['whole_and_graded', ['incomplete_junk', 'do_nothing', 'unusable_label']],
    ['repeat', ['duplicate']],
    ['cut_off', ['truncated']],
    ['contrast', ['always_solved', 'never_solved', 'collapsed']],
    ['band', ['too_easy', 'too_hard']],
    ['target', ['over_target']],
  ],
  sft: [
    ['answer_key', ['privileged_leak']],
    ['reward', ['not_pass']],
    ['whole', ['incomplete_junk']],
    ['best_of_prompt', ['not_best']],
    ['target', ['over_target']],
  ],
} as const;

/**
 * Tell what every gate of a selection said of a row: those it passed, and the one that said no, each with its numbers.
 * `rates` are the pass rates that tasks were judged by.
 */
export function selectionGates(
  rule: SelectionRule,
  rates: ReadonlyMap<string, TaskRate>,
): (row: JsonObject, reason?: string) => readonly GateDecision[] {
  return (row, reason) => {
    const met: GateDecision[] = [];
    for (const [gate, words] of gates[rule.mode]) {
      const passed = !(words as readonly string[]).includes(reason ?? '');
      const numbers = numbersOf(gate, rule, row, rates.get(taskKey(row)));
      met.push({ gate, passed, ...(passed ? {} : { reason }), ...(numbers && { numbers }) });
      if (!passed) break;
    }
    return met;
  };
}

function numbersOf(gate: string, { mode, options }: SelectionRule, row: JsonObject, rate: TaskRate | undefined) {
  if (gate === 'target') return { target: options.target };
  if (gate === 'reward')
    return { reward: scalarReward(row) ?? null, ...(mode === 'sft' && { min_reward: options.minReward }) };
  if (gate !== 'contrast' && gate !== 'band') return undefined;
  const measured = { n: rate?.n ?? 0, passes: rate?.passes ?? 0, pass_rate: rate?.rate ?? null };
  return gate === 'band' && mode === 'rl' ? { ...measured, lo: options.lo, hi: options.hi } : measured;
}
