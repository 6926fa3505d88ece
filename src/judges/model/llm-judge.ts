import { z } from 'zod';
import { isObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import type { ChatModel } from '../../models/chat-model.ts';
import type { JudgeObject } from '../judge.ts';
import { checkScale, normalizeJudgeResult } from '../normalize-judge-result.ts';
import { modelAsker, promptHash, reasonIn, rowRepeat } from './ask-model.ts';
import { episodeText, materialRule } from './episode-text.ts';
import { failureSlug, hideGold } from './hide-gold.ts';

const options = z.strictObject({
  instructions: z
    .string()
    .default('Does the reply do what was asked, by what its tools really returned, within its policy?')
    .describe('What is graded.'),
  scale: z.tuple([z.number(), z.number()]).optional().describe('Lowest and highest mark; 0 to 1 without it.'),
  usePrivileged: z.boolean().default(false).describe('Show the judge the answer key. It is kept out of its reasons.'),
  maxTokens: z.int().min(16).default(400).describe('Most tokens of one verdict.'),
  version: z.string().min(1).optional().describe('Version of the judge; the hash of its prompt without it.'),
});
export type LlmJudgeOptions = z.input<typeof options>;

/**
 * Grade with a model that says why before it says how much: one JSON object, `reason` first. The graded text stands between
 * marks it cannot know and is never an instruction; only the model's last JSON object counts; what cannot be read has no reward.
 *
 * @throws TM_OPTIONS - an option is unknown, or the scale has no width
 * @source rlhfbook ch. 5 and 11; Zheng et al. 2023, arXiv 2306.05685
 */
export function llmJudge(model: ChatModel, config: LlmJudgeOptions = {}): JudgeObject {
  const { instructions, scale, usePrivileged, maxTokens, ...rest } = parseOptions('llmJudge', options, config);
  const marks = scale && checkScale(scale);
  const system = promptOf(instructions, marks, usePrivileged);
  const hash = promptHash(system);
  const version = rest.version ?? hash;
  const ask = modelAsker(model);
  return {
    name: `${model.name}@${hash}`,
    version,
    kind: 'judge',
    model: model.name,
    usePrivileged,
    async judge(row, signal) {
      const user = episodeText(row, { withReference: usePrivileged });
      const answer = await ask({ system, user, maxTokens, repeat: rowRepeat(row) }, signal);
      const origin = { judge_model: model.name, prompt_hash: hash, version };
      const hide = (text: string) => (usePrivileged ? hideGold(text, row) : text);
      if ('unread' in answer) return { ...answer.unread, raw: hide(answer.raw), ...origin };
      const { reward, score, rating, failure_class } = answer.object;
      const reason = hide(reasonIn(answer.object));
      const verdict = normalizeJudgeResult({ reward, score, rating, reason }, { scale: marks });
      const { rating: _rating, ...plain } = verdict.judge_meta;
      const meta = { ...(marks ? verdict.judge_meta : plain), ...origin };
      if (verdict.reward === null) return { ...verdict, judge_meta: { ...meta, raw: hide(answer.raw) } };
      const slug = failureSlug(failure_class, row);
      const failure = slug === undefined ? {} : { failure_class: slug };
      return { reward: verdict.reward, reason: verdict.reason, judge_meta: { ...failure, ...meta } };
    },
  };
}

function promptOf(instructions: string, scale: readonly [number, number] | undefined, hasReference: boolean): string {
  const [low, high] = scale ?? [0, 1];
  const mark = scale
    ? `"rating", a number from ${low} to ${high}`
    : '"reward", a number from 0 (not at all) to 1 (wholly)';
  return [
    'You grade one reply of an assistant.',
    instructions,
    materialRule,
    ...(hasReference ? ['Judge against the reference, and never quote it or say what it is.'] : []),
    `Answer with one JSON object and nothing after it: first "reason", one or two sentences that say what decides it, then ${mark}.`,
  ].join('\n\n');
}

/** Whether a row brings criteria of its own. */
export const hasRubric = (privileged: unknown): boolean => isObject(privileged) && Boolean(privileged['rubric']);
