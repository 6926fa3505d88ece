import type { ChatModel } from '../models/chat-model.ts';
import type { Ask } from '../rows/ask.ts';
import type { Message } from '../rows/conversation.ts';
import type { Tool } from '../rows/tool.ts';
import { hasToolMarkup } from '../text/tool-markup.ts';
import type { SimulatedUser, UserTurn } from './simulated-user.ts';
import { splitReasoning } from './split-reasoning.ts';
import { agentAsked } from './turns.ts';

const tailLength = 2400; // characters of the transcript that the person still has in mind
const temperature = 0.475;
const maxTokens = 200;
/** Share of words: above, a turn only says back what the agent said, or what the person said before. */
const [echoShare, repeatShare] = [0.7, 0.78];

interface Person {
  readonly model: ChatModel;
  readonly ask: Ask;
  readonly tools: readonly Tool[];
}

/**
 * Let a model play the person of an ask: the same want, tone and way of typing to the end. Thanks, echoes, repeats, JSON
 * and call syntax are not taken; a bare yes is, when the agent asked for one. On a question it gets two tries, then the
 * person leaves.
 *
 * @source rlhfbook ch. 12 (one model in two roles); house rule for what is not taken
 */
export function modelUser({ model, ask, tools }: Person): SimulatedUser {
  const brief = personBrief(ask, tools);
  return {
    model: model.name,
    pending: 0,
    async next(transcript, signal): Promise<UserTurn> {
      const heard = transcript.at(-1)?.content ?? '';
      const tries = agentAsked(heard) ? 2 : 1;
      for (let n = 0; n < tries; n++) {
        const { text } = await model.chat(
          {
            messages: [
              { role: 'system', content: brief },
              { role: 'user', content: `${tailOf(transcript)}\n\nWrite only the next message of the person.` },
            ],
            temperature,
            maxTokens,
            repeat: [ask.ask_id, ask.rollout_index, ask.lineage?.['eval_run'] ?? null, 'user', transcript.length, n],
          },
          signal,
        );
        const said = withoutFarewell(
          splitReasoning(text)
            .spoken.replace(/^(user|person|customer):\s*/i, '')
            .trim(),
        );
        if (isTaken(said, transcript)) return { text: said };
      }
      return { left: true };
    },
  };
}

function personBrief({ prompt, tone, texture, user, pressure, stance }: Ask, tools: readonly Tool[]): string {
  const traits = Object.entries({ tone, texture, user, pressure, stance }).filter(([, value]) => value);
  return [
    'You play a person who talks to an assistant. You want exactly what you wrote first:',
    `"${prompt}"`,
    traits.length > 0
      ? `You stay the same person: ${traits.map(([key, value]) => `${key} ${String(value)}`).join(', ')}.`
      : '',
    `The assistant can use: ${tools.map(({ name }) => name).join(', ') || 'no tools'}. You cannot.`,
    'Answer what it asks in one or two short sentences, with plausible details of your own. Never thank, never repeat the',
    'assistant, never write as the assistant. When there is nothing left to say, write STOP.',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function tailOf(transcript: readonly Message[]): string {
  const lines = transcript
    .filter(({ role, content }) => (role === 'user' || role === 'assistant') && content !== '')
    .map(({ role, content }) => `${role === 'user' ? 'Person' : 'Assistant'}: ${content}`);
  return lines.join('\n').slice(-tailLength);
}

const stopWord = /\s*(?:#+\s*)?\bSTOP\b[\s#.!]*$/;
/** The words before a farewell count: whoever agrees and leaves in one breath has agreed, and the agent gets its turn. */
const withoutFarewell = (text: string): string => text.replace(stopWord, '').trim();

const thanks =
  /^(?:ok(?:ay)?[,.! ]*)?(?:many |great[,.! ]*|perfect[,.! ]*)?(?:thanks?|thank you|thx|cheers)\b[^?]{0,60}$/i;
const agreement = /^(?:yes|yep|yeah|sure|ok(?:ay)?|correct|confirmed?|go ahead|please do|do it)\b/i;

/** Say whether a person says yes to what was asked. */
export const isAgreement = (text: string): boolean => agreement.test(text.trim());

function isTaken(said: string, transcript: readonly Message[]): boolean {
  if (said === '' || thanks.test(said) || hasToolMarkup(said) || isData(said)) return false;
  const heard = transcript.at(-1)?.content ?? '';
  if (isAgreement(said) && agentAsked(heard)) return true;
  if (overlap(said, heard) >= echoShare) return false;
  return !transcript.some(({ role, content }) => role === 'user' && overlap(said, content) >= repeatShare);
}

const isData = (text: string): boolean => /^[[{][\s\S]*[\]}]$/.test(text) || /^\w+\(.*\)$/s.test(text);

/** Share of the words of `a` that stand in `b`. */
function overlap(a: string, b: string): number {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const known = new Set(wordsOf(b));
  const words = wordsOf(a);
  return words.length === 0 ? 0 : words.filter((word) => known.has(word)).length / words.length;
}
