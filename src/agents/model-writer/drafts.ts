import type { JsonObject } from '../../core/json-object.ts';
import type { ChatModel } from '../../models/chat-model.ts';
import { type Tool, toolsFrom } from '../../rows/tool.ts';
import { splitReasoning } from '../split-reasoning.ts';
import { readList } from './read-list.ts';

const [sceneMs, toolsMs, seedsMs] = [8_000, 45_000, 60_000];
const longestScene = 400; // characters

/** Ask a model who the people are that turn to this agent, and what they usually want. */
export async function draftScene(
  model: ChatModel,
  policy: string,
  tools: readonly Tool[],
  seed: number,
): Promise<string> {
  const text = await asked(model, {
    system:
      'In at most three sentences, say who turns to this assistant and what they usually want. No list, no heading.',
    user: `${policy.slice(0, 2000)}\n\nIt can: ${tools.map(({ name }) => name).join(', ') || 'only talk'}`,
    repeat: ['scene', seed],
    maxTokens: 160,
    ms: sceneMs,
  });
  return text.replace(/\s+/gu, ' ').trim().slice(0, longestScene);
}

/**
 * Draft the tools of an agent of which only a sentence is known: four to eight, each marked `drafted`.
 *
 * @throws TM_OPTIONS - the model named no tool that can be read
 */
export async function draftTools(model: ChatModel, policy: string, seed: number): Promise<readonly Tool[]> {
  const text = await asked(model, {
    system:
      'Name four to eight tools (functions) that this assistant needs. Answer with a JSON list only: [{"name": "snake_case", "description": "one sentence", "parameters": {"type": "object", "properties": {...}, "required": [...]}}]. Give reading tools, and tools that change something.',
    user: policy.slice(0, 2000),
    repeat: ['draft tools', seed],
    maxTokens: 1600,
    ms: toolsMs,
  });
  const named = readList(text).filter(({ name }) => typeof name === 'string' && /^[\w-]{1,64}$/u.test(name));
  const once = [...new Map(named.map((tool) => [String(tool['name']), tool])).values()].slice(0, 8);
  return toolsFrom(once.map((tool) => ({ ...described(tool), drafted: true })));
}

const described = ({ name, description, parameters, input_schema }: JsonObject): JsonObject => ({
  name,
  description: typeof description === 'string' ? description : '',
  parameters: parameters ?? input_schema ?? { type: 'object', properties: {} },
});

/** What became of seeds that a model was asked to multiply. */
export interface Amplified {
  readonly given: number;
  readonly target: number;
  readonly total: number;
  /** The new asks. */
  readonly minted: readonly string[];
}

const styles = [
  'shorter',
  'longer, with a reason',
  'more formal',
  'casual, as in a chat',
  'unsure of the right word',
  'in a hurry',
  'with another name and number',
  'as a second try after a failure',
] as const;
const [perCall, mostCalls] = [25, 40];

/** Ask a model for further asks like the seeds, in eight styles, until there are `target`; none twice. */
export async function amplifySeeds(
  model: ChatModel,
  seeds: readonly string[],
  target: number,
  seed: number,
): Promise<Amplified> {
  const known = new Set(seeds.map(letters));
  const minted: string[] = [];
  for (let call = 0; call < mostCalls && seeds.length + minted.length < target; call++) {
    const wanted = Math.min(perCall, target - seeds.length - minted.length);
    const text = await asked(model, {
      system: `Here are messages that people wrote to an assistant. Write ${wanted} further ones with wants like theirs, each ${styles[call % styles.length]}. Never copy one. Answer with a JSON list only: [{"message": "..."}].`,
      user: seeds
        .slice(0, 40)
        .map((one) => `- ${one}`)
        .join('\n'),
      repeat: ['amplify', seed, call],
      maxTokens: 2048,
      ms: seedsMs,
    });
    for (const { message } of readList(text)) {
      if (typeof message !== 'string' || message.trim().length < 8 || known.has(letters(message))) continue;
      known.add(letters(message));
      if (seeds.length + minted.length < target) minted.push(message.trim());
    }
  }
  return { given: seeds.length, target, total: seeds.length + minted.length, minted };
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

interface Question {
  readonly system: string;
  readonly user: string;
  readonly repeat: readonly unknown[];
  readonly maxTokens: number;
  readonly ms: number;
}

async function asked(model: ChatModel, { system, user, repeat, maxTokens, ms }: Question): Promise<string> {
  const { text } = await model.chat(
    {
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      temperature: 0.7,
      maxTokens,
      repeat,
    },
    AbortSignal.timeout(ms),
  );
  return splitReasoning(text).spoken;
}
