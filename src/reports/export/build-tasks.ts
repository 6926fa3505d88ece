import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { rewardOf } from '../../rows/label.ts';
import { plainText } from '../../rows/plain-text.ts';
import { foldText } from '../../text/fold.ts';
import { decontaminate } from '../guard/decontaminate/index.ts';

const share = z.number().min(0).max(1);

export const taskOptions = z.strictObject({
  holdout: z
    .union([z.number().min(0).lt(1), z.array(z.string())])
    .default(0.2)
    .describe('Share of the situations that is held out, by their hash; or the prompts that are.'),
  ensureHoldout: z
    .boolean()
    .default(false)
    .describe('With a share above 0: hold one situation out when the hash held out none.'),
  band: z
    .tuple([share, share])
    .refine(([lo, hi]) => lo <= hi, 'lowest pass rate first')
    .nullable()
    .default([0.2, 0.8])
    .describe('Pass rates that train, both ends inclusive; null keeps all. Asked of tasks with two rewards or more.'),
  dropContaminated: z
    .boolean()
    .default(false)
    .describe('Leave training tasks out that repeat a held-out one; otherwise they are only counted.'),
});
export type TaskOptions = z.input<typeof taskOptions>;

/** What the world and the reward of a task need to know. */
export type TaskInfo = JsonObject & {
  readonly task_id: string;
  readonly scenario_id: string | null;
  readonly split: 'train' | 'holdout';
};

/** One prompt to train on. */
export interface PromptTask {
  readonly prompt: string;
  readonly info: TaskInfo;
  readonly example_id: string;
}

export interface TaskReport {
  readonly prompts: number;
  readonly tasks: number;
  readonly train: number;
  readonly holdout: number;
  /** Prompts with two rewards or more. */
  readonly graded_prompts: number;
  readonly band: readonly [number, number] | null;
  readonly band_dropped: number;
  /** Prompts whose rewards differ: only they give a gradient. */
  readonly graded_mixed: number;
  /** Prompts that stand for more than one situation: the first one's world is played. */
  readonly prompts_merged: number;
  /** Training tasks that repeat a held-out prompt at 8 words; empty when nothing is held out. */
  readonly decontamination: JsonObject;
  readonly contaminated_dropped: number;
}

export interface BuiltTasks {
  readonly train: readonly PromptTask[];
  readonly holdout: readonly PromptTask[];
  readonly report: TaskReport;
}

/**
 * Make one task of each prompt, with the pass rate its rows had, and split them into training and held-out ones: all
 * phrasings of a situation on one side. What a task is comes from the first row of its prompt.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 7 (offline difficulty filtering); house rule for the split
 */
export function buildTasks(rows: readonly JsonObject[], given: TaskOptions = {}): BuiltTasks {
  const { holdout, ensureHoldout, band, dropContaminated } = parseOptions('buildTasks', taskOptions, given);
  const prompts = [...byPrompt(rows)].map(([prompt, of]) => ({ prompt, ...of }));
  const graded = prompts.filter(({ rewards }) => rewards.length >= 2);
  const inBand = prompts.filter(
    ({ rewards }) => band === null || rewards.length < 2 || isWithin(meanOf(rewards), band),
  );
  const isHeld = splitter(inBand, holdout, ensureHoldout);
  const tasks = inBand.map((one) => taskOf(one, isHeld(one) ? 'holdout' : 'train'));
  const [train, held] = [tasks.filter(isTrain), tasks.filter((task) => !isTrain(task))];
  const check = decontaminate(
    train.map(({ prompt }) => ({ prompt })),
    [held.map(({ prompt }) => ({ prompt }))],
  );
  const clean = new Set(check.kept.map(({ prompt }) => prompt));
  const kept = dropContaminated ? train.filter(({ prompt }) => clean.has(prompt)) : train;
  const { n_contaminated, contamination_rate, examples } = check.report;
  return {
    train: kept,
    holdout: held,
    report: {
      prompts: prompts.length,
      tasks: kept.length + held.length,
      train: kept.length,
      holdout: held.length,
      graded_prompts: graded.length,
      band,
      band_dropped: prompts.length - inBand.length,
      graded_mixed: graded.filter(({ rewards }) => Math.min(...rewards) < Math.max(...rewards)).length,
      prompts_merged: prompts.filter(({ scenarios }) => scenarios.size > 1).length,
      decontamination:
        held.length === 0
          ? {}
          : { n_contaminated, contamination_rate, examples: examples.slice(0, 3).map(({ match }) => match) },
      contaminated_dropped: train.length - kept.length,
    },
  };
}

interface PromptRows {
  readonly first: JsonObject;
  readonly rewards: number[];
  readonly scenarios: Set<string>;
}

function byPrompt(rows: readonly JsonObject[]): ReadonlyMap<string, PromptRows> {
  const found = new Map<string, PromptRows>();
  for (const row of rows) {
    const prompt = plainText(row['prompt']).trim();
    if (prompt === '') continue;
    const one = found.get(prompt) ?? { first: row, rewards: [], scenarios: new Set() };
    found.set(prompt, one);
    const reward = rewardOf(row);
    if (reward !== undefined) one.rewards.push(Math.min(1, Math.max(0, reward)));
    if (row['scenario_id']) one.scenarios.add(String(row['scenario_id']));
  }
  return found;
}

/** What a task carries when its row does. */
const carried = ['scenario_dimensions', 'stance', 'tier', 'history', 'tool_condition', 'ask_family'] as const;
const flags = ['intent_known', 'tool_known'] as const;

function taskOf(
  { prompt, first, rewards }: PromptRows & { readonly prompt: string },
  split: TaskInfo['split'],
): PromptTask {
  const scenario = first['scenario_id'] ? String(first['scenario_id']) : null;
  const example_id = sha1(`${scenario ?? ''}\n${prompt}`).slice(0, 12);
  const { faults, privileged } = first;
  const info: TaskInfo = {
    task_id: example_id,
    scenario_id: scenario,
    seed: first['seed'] ?? null,
    world_state: plainText(first['world_state']),
    faults: isObject(faults) ? faults : {},
    ...Object.fromEntries(carried.filter((key) => first[key]).map((key) => [key, first[key]])),
    ...Object.fromEntries(flags.filter((key) => typeof first[key] === 'boolean').map((key) => [key, first[key]])),
    ...(isObject(privileged) && Object.keys(privileged).length > 0 ? { privileged } : {}),
    ...(rewards.length >= 2
      ? { calibration: { pass_rate: Math.round(meanOf(rewards) * 1e4) / 1e4, n: rewards.length } }
      : {}),
    split,
  };
  return { prompt, info, example_id };
}

type Placed = PromptRows & { readonly prompt: string };

/** The side of a prompt follows from its situation, so all phrasings of it are on one. */
function splitter(prompts: readonly Placed[], holdout: number | readonly string[], ensures: boolean) {
  if (typeof holdout !== 'number') {
    const held = new Set(holdout.map(foldText));
    return ({ prompt }: Placed) => held.has(foldText(prompt));
  }
  const placeOf = ({ first, prompt }: Placed) =>
    Number.parseInt(sha1(String(first['scenario_id'] || prompt)).slice(0, 8), 16) / 0xffffffff;
  const places = prompts.map(placeOf);
  const lowest = places.reduce((least, place) => Math.min(least, place), 1);
  const isAlone = places.every((place) => place === lowest);
  const isEmpty = holdout > 0 && !places.some((place) => place < holdout);
  return (one: Placed) => placeOf(one) < holdout || (ensures && isEmpty && !isAlone && placeOf(one) === lowest);
}

const isTrain = ({ info }: PromptTask) => info.split === 'train';
const isWithin = (rate: number, [lo, hi]: readonly [number, number]) => rate >= lo - 1e-9 && rate <= hi + 1e-9;
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
