import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import type { JsonModel } from '../../models/json-post.ts';
import { conversationOf } from '../../rows/conversation.ts';
import type { Row } from '../../rows/row.ts';
import type { JudgeObject } from '../judge.ts';
import { candidateText } from '../verifiers/candidate-text.ts';
import { rowRepeat } from './ask-model.ts';

const options = z.strictObject({
  model: z.string().optional().describe('Name of the model, where the host has several.'),
  squash: z
    .enum(['none', 'sigmoid'])
    .default('none')
    .describe('`sigmoid` maps scores without bounds to 0 to 1; without it a score outside is no verdict.'),
  label: z
    .string()
    .min(1)
    .optional()
    .describe('The label whose score counts, of a model that answers several, such as LABEL_1.'),
  version: z.string().min(1).optional().describe('Version of the reward model, for the lineage.'),
});
export type RewardModelOptions = z.input<typeof options>;

/**
 * Grade with a reward model over HTTP. An address that ends in `/pooling` (messages), `/classify` (input) or `/predict`
 * (inputs) is asked as vLLM and text-embeddings-inference are; any other gets `{model, prompt, response, messages}`. The
 * answer is a number, or has one under reward, score, data, scores, probs or output; the last of a list of numbers counts. Of several scores with a label each, that of `label` counts; without
 * the option they are no verdict, as hosts list the likeliest first.
 *
 * @throws TM_OPTIONS - an option is unknown
 * @source rlhfbook ch. 5 (reward models)
 */
export function rewardModel(host: JsonModel, config: RewardModelOptions = {}): JudgeObject {
  const { model, squash, label, version } = parseOptions('rewardModel', options, config);
  const name = model ?? new URL(host.url).host;
  return {
    name,
    ...(version !== undefined && { version }),
    kind: 'reward_model',
    model: name,
    async judge(row, signal) {
      const answer = await host.ask(bodyOf(new URL(host.url).pathname, model, row), rowRepeat(row), signal);
      const score = scoreIn(answer, label);
      const origin = { judge_model: name, ...(version !== undefined && { version }) };
      if (score === undefined) {
        const raw = (JSON.stringify(answer) ?? '').slice(0, 1000);
        return { reward: null, judge_status: 'missing_reward', unreadable: whyNone(answer, label), raw, ...origin };
      }
      if (squash === 'none') return { reward: score, raw_score: score, ...origin };
      return { reward: 1 / (1 + Math.exp(-score)), raw_score: score, squash, ...origin };
    },
  };
}

function bodyOf(path: string, model: string | undefined, row: Row): JsonObject {
  const messages = conversationOf(row as JsonObject).map(({ role, content }) => ({ role, content }));
  const [prompt, response] = [String(row.prompt ?? ''), candidateText(row)];
  const named = model === undefined ? {} : { model };
  if (/\/pooling\/?$/.test(path)) return { ...named, messages };
  if (/\/classify\/?$/.test(path)) return { ...named, input: `${prompt}\n\n${response}` };
  if (/\/predict\/?$/.test(path)) return { inputs: `${prompt}\n\n${response}` };
  return { ...named, prompt, response, messages };
}

const keys = ['reward', 'score', 'rating', 'rewards', 'scores', 'data', 'probs', 'output', 'outputs', 'results'];

/** Why there is no score, and what to do about it. */
function whyNone(answer: unknown, label: string | undefined): string {
  const labels = labelsIn(answer);
  if (labels.length === 0) return 'no score in the answer';
  const has = labels.join(', ');
  return label === undefined
    ? `the model answers several labels (${has}): say which one counts, label: ${labels.at(-1)}`
    : `the model has no label ${label}, but ${has}`;
}

function labelsIn(answer: unknown, depth = 0): readonly string[] {
  if (depth > 6) return [];
  if (isObject(answer)) {
    const { label } = answer;
    if (label !== undefined) return [String(label).slice(0, 40)];
    const key = keys.find((one) => answer[one] !== undefined);
    return key === undefined ? [] : labelsIn(answer[key], depth + 1);
  }
  return Array.isArray(answer) ? answer.slice(0, 10).flatMap((one) => labelsIn(one, depth + 1)) : [];
}

/** The score in whatever a host answered; undefined when there is none. */
function scoreIn(answer: unknown, label: string | undefined, depth = 0): number | undefined {
  if (typeof answer === 'number') return answer;
  if (depth > 6) return undefined;
  if (Array.isArray(answer)) {
    const labelled = answer.filter((one) => isObject(one) && one['label'] !== undefined);
    if (labelled.length > 0 && (label !== undefined || labelled.length > 1))
      return scoreIn(
        labelled.find((one) => String((one as JsonObject)['label']) === label),
        label,
        depth + 1,
      );
    const isNumbers = answer.every((one) => typeof one === 'number');
    return scoreIn(isNumbers ? answer.at(-1) : answer[0], label, depth + 1);
  }
  if (!isObject(answer)) return undefined;
  const key = keys.find((one) => answer[one] !== undefined);
  return key === undefined ? undefined : scoreIn(answer[key], label, depth + 1);
}
