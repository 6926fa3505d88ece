import type { ChatModel } from '../../models/chat-model.ts';
import type { RubricWriter } from '../rubric/write-rubrics.ts';
import { material, materialRule } from './episode-text.ts';

const maxTokens = 1200;
const system = [
  'You write what a good reply to a request has to do, as criteria that somebody can check on the reply alone.',
  materialRule,
  'Write 3 to 8 criteria. "hard": without it the reply is worth nothing. "principle": makes it better, by its weight. "pitfall": a fault that makes it worse. Each says one thing. Take facts from the reference where there is one.',
  'Answer with one JSON array and nothing after it: [{"title": "two to five words", "description": "one sentence", "kind": "hard", "weight": 1}].',
].join('\n\n');

/**
 * Make the writer that `writeRubrics` asks: a model reads the request, the reference and the guidance of the domain.
 *
 * @source rlhfbook ch. 12
 */
export function rubricWriter(model: ChatModel): RubricWriter {
  const write: RubricWriter = async ({ request, reference, guidance }) => {
    const user = material([
      ['request', request],
      ['reference', reference],
      ['guidance', guidance],
    ]);
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ] as const;
    const reply = await model.chat({ messages, temperature: 0, maxTokens, repeat: ['rubric', request] }, neverAborts);
    return reply.text;
  };
  return Object.defineProperty(write, 'name', { value: model.name });
}

const neverAborts = new AbortController().signal;
