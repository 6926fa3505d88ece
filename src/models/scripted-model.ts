import type { ChatModel, ChatReply, ChatRequest } from './chat-model.ts';

/** A reply in short: a text, or the parts that matter. */
export type ScriptedReply = string | Partial<ChatReply>;

/** The double of a model: it answers by a function of the request. For tests, dry runs and examples. */
export function scriptedModel(
  answer: (request: ChatRequest, call: number) => ScriptedReply,
  name = 'scripted',
): ChatModel {
  let calls = 0;
  return {
    name,
    async chat(request) {
      const reply = answer(request, calls++);
      const parts = typeof reply === 'string' ? { text: reply } : reply;
      return {
        text: '',
        calls: [],
        finish: parts.calls?.length ? 'tool' : 'stop',
        isRefusal: false,
        model: name,
        ...parts,
      };
    },
  };
}
