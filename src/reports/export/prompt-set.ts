import { z } from 'zod';
import { stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { asWarnings, type Remark } from '../../core/remarks.ts';
import { plainText } from '../../rows/plain-text.ts';
import { schemaVersion } from '../../rows/row-shape.ts';
import { scrub } from '../../rows/scrub.ts';
import {
  type AgentCounts,
  agentOfRow,
  agentOptions,
  agentTally,
  leadingPrompt,
  type RowAgent,
} from './agent-of-row.ts';
import { buildTasks, type PromptTask, taskOptions } from './build-tasks.ts';
import { columns } from './columns.ts';
import type { ExportSet } from './export-set.ts';

const hintKinds = ['principle', 'hidden_state', 'reference'] as const;

/** How a set of prompts is made. */
export const promptSetOptions = agentOptions.extend({
  format: z
    .enum(['grpo', 'opsd'])
    .default('grpo')
    .describe(
      'grpo: prompts, and what a reward must know of each. opsd: each prompt also as a teacher sees it, with a hint.',
    ),
  band: taskOptions.shape.band,
  hints: z
    .array(z.enum(hintKinds))
    .min(1)
    .default(['principle', 'hidden_state', 'reference'])
    .describe('opsd: parts of the answer key that the teacher is told, in this order.'),
});

/** What of a row a prompt is made of. It may lie on disk: the answer key is in it for `opsd` alone, whose file holds it. */
export interface PromptEntry {
  readonly task: JsonObject;
  /** Whether it is the first row of its prompt, which is written where that stands. */
  readonly isFirst: boolean;
  readonly opener: string;
  readonly agent: RowAgent;
  readonly hint: string;
}

export interface PromptReport extends AgentCounts {
  readonly n: number;
  readonly format: string;
  readonly prompts: number;
  readonly band: readonly [number, number] | null;
  readonly band_dropped: number;
  readonly graded_prompts: number;
  readonly graded_mixed: number;
  readonly no_hint_dropped: number;
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

/** What makes a task of a row. */
const taskKeys = ['prompt', 'scenario_id', 'reward', 'qwen_reward', 'seed', 'world_state', 'faults', 'stance', 'tier'];
taskKeys.push('scenario_dimensions', 'history', 'tool_condition', 'ask_family', 'intent_known', 'tool_known');

/**
 * Build a set of prompts: one for each distinct prompt of the rows, with the pass rate that its rows had. `grpo` is what a
 * group-relative trainer samples from: `prompt` as messages, and in `info` what the world and the reward must know, as JSON
 * text and without answer keys. `opsd` adds `teacher_prompt`, in which the same model is told the answer key as a hint: it
 * must never be published. Memory: a record a row.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source DeepSeekMath (GRPO, arXiv:2402.03300); on-policy self-distillation (arXiv:2601.18734); rlhfbook ch. 6
 */
export function promptSet(given: z.input<typeof promptSetOptions>): ExportSet<JsonObject, PromptEntry, PromptReport> {
  const options = parseOptions('promptSet', promptSetOptions, given);
  const isHinted = options.format === 'opsd';
  const rows: JsonObject[] = [];
  const met = new Set<string>();
  const openings = new Map<string, PromptEntry>();
  const agentOf = (row: JsonObject) => {
    const agent = agentOfRow(row, [], options);
    const systemPrompt = leadingPrompt(row['messages']);
    return systemPrompt === '' || agent.isGiven
      ? agent
      : { ...agent, systemPrompt, said: { ...agent.said, system_prompt: 'row' as const } };
  };
  const nameOf = (one: PromptEntry) => plainText(one.task['prompt']).trim();
  return {
    entry(row) {
      const clean = scrub(row);
      const task = Object.fromEntries(taskKeys.flatMap((key) => (clean[key] === undefined ? [] : [[key, clean[key]]])));
      const name = plainText(task['prompt']).trim();
      const isFirst = !met.has(name);
      met.add(name);
      const hint = isHinted ? hintOf(row['privileged'], options.hints) : '';
      return { task, isFirst, opener: plainText(clean['opener']), agent: agentOf(clean), hint };
    },
    add(one) {
      rows.push(one.task);
      if (one.isFirst) openings.set(nameOf(one), one);
    },
    end() {
      const { train, report } = buildTasks(rows, { holdout: 0, band: options.band });
      const agents = agentTally();
      const samples = new Map<string, JsonObject>();
      for (const task of train) {
        const opening = openings.get(task.prompt);
        if (!opening || (isHinted && opening.hint === '')) continue;
        samples.set(task.prompt, sampleOf(task, opening, isHinted));
        agents.add(opening.agent.said);
      }
      const table = columns();
      for (const sample of samples.values()) table.add(sample);
      const inBand = new Set(train.map(({ prompt }) => prompt));
      return {
        refusal: undefined,
        report: {
          n: samples.size,
          format: options.format,
          prompts: report.prompts,
          band: report.band,
          band_dropped: report.band_dropped,
          graded_prompts: report.graded_prompts,
          graded_mixed: report.graded_mixed,
          no_hint_dropped: train.length - samples.size,
          ...agents.end(),
          ...asWarnings(warningsOf(isHinted, samples.size, report.graded_prompts)),
        },
        linesOf: (one) => {
          const sample = one.isFirst ? samples.get(nameOf(one)) : undefined;
          return sample ? [table.line(sample)] : [];
        },
        leftBecause: (one) => {
          const name = nameOf(one);
          if (samples.has(name)) return 'prompt_is_there';
          if (name === '') return 'no_prompt';
          return inBand.has(name) ? 'no_hint' : 'out_of_band';
        },
      };
    },
  };
}

function sampleOf(
  { prompt, info, example_id }: PromptTask,
  { opener, hint, agent }: PromptEntry,
  isHinted: boolean,
): JsonObject {
  const { privileged: _, calibration, ...open } = info;
  const ask = [...(opener === '' ? [] : [turn('assistant', opener)]), turn('user', prompt)];
  const asked = (system: string) => [...(system === '' ? [] : [turn('system', system)]), ...ask];
  const { systemPrompt, tools } = agent;
  const told = [systemPrompt, `What only you know about this case:\n${hint}`].filter((text) => text !== '');
  return {
    prompt: asked(systemPrompt),
    ...(isHinted ? { teacher_prompt: asked(told.join('\n\n')), hint } : {}),
    prompt_text: prompt,
    task_id: example_id,
    scenario_id: info.scenario_id ?? '',
    ...(isObject(calibration) ? { pass_rate: calibration['pass_rate'], n_rollouts: calibration['n'] } : {}),
    info: stringifyJson(open),
    ...(tools && tools.length > 0 ? { tools: stringifyJson(tools) } : {}),
    schema_version: schemaVersion,
  };
}

const turn = (role: string, content: string) => ({ role, content });

function hintOf(privileged: unknown, kinds: readonly (typeof hintKinds)[number][]): string {
  if (!isObject(privileged)) return '';
  const texts = kinds.map((kind) => {
    const value = privileged[kind];
    if (value === null || value === undefined || (isObject(value) && Object.keys(value).length === 0)) return '';
    return typeof value === 'string' ? value.trim() : stringifyJson(value);
  });
  return texts.filter((text) => text !== '').join('\n');
}

function warningsOf(isHinted: boolean, n: number, graded: number): readonly Remark[] {
  const all: readonly (Remark | false)[] = [
    isHinted &&
      n > 0 && {
        code: 'answer_keys_inside',
        text: 'the hints are answer keys: keep this file to yourself and your trainer',
      },
    n > 0 &&
      graded === 0 && { code: 'ungraded_prompts', text: 'no prompt has two rewards: how hard they are is not known' },
  ];
  return all.filter((one) => one !== false);
}
