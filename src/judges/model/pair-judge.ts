import { z } from 'zod';
import { parseOptions } from '../../core/operator.ts';
import type { ChatModel } from '../../models/chat-model.ts';
import { rowKey } from '../../rows/task-key.ts';
import type { PairJudge } from '../judge-pairs.ts';
import { modelAsker, promptHash, reasonIn } from './ask-model.ts';
import { material, materialRule, replyPart } from './episode-text.ts';

const options = z.strictObject({
  instructions: z
    .string()
    .default('Which reply does better what was asked? Length and tone alone decide nothing.')
    .describe('What makes a reply better.'),
  maxTokens: z.int().min(16).default(400).describe('Most tokens of one answer.'),
});

/**
 * Make the judge of pairs that asks a model which of two replies is better, why first. `judgePairs` asks it both ways round
 * and reports how often the order decides. Both replies stand between marks they cannot know.
 *
 * @throws TM_OPTIONS - an option is unknown
 * @source rlhfbook ch. 5; Zheng et al. 2023, arXiv 2306.05685
 */
export function pairJudge(model: ChatModel, config: z.input<typeof options> = {}): PairJudge {
  const { instructions, maxTokens } = parseOptions('pairJudge', options, config);
  const system = [
    'You compare two replies, A and B, of an assistant to one request.',
    instructions,
    materialRule,
    'Answer with one JSON object and nothing after it: first "reason", one or two sentences that say what decides it, then "winner", which is "A", "B" or "tie".',
  ].join('\n\n');
  const hash = promptHash(system);
  const ask = modelAsker(model);
  const judge: PairJudge = async (a, b, signal) => {
    const user = material([
      ['request', String(a.prompt ?? b.prompt ?? '')],
      replyPart('reply A', a),
      replyPart('reply B', b),
    ]);
    const answer = await ask({ system, user, maxTokens, repeat: ['pair', rowKey(a), rowKey(b)] }, signal);
    if ('unread' in answer) return { winner: null, reason: String(answer.unread['unreadable']) };
    return { winner: answer.object['winner'], reason: reasonIn(answer.object) };
  };
  return Object.defineProperties(judge, {
    name: { value: `${model.name}@${hash}` },
    version: { value: hash },
    model: { value: model.name },
  });
}
