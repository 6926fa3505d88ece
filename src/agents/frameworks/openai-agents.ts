import { parseJson, stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import type { Agent, AgentContext } from '../agent.ts';
import { type FrameworkAgent, installed } from './framework-agent.ts';

/** The part of an OpenAI Agents SDK agent that is used. */
interface OpenaiAgent {
  readonly name: string;
  readonly instructions: unknown;
  readonly model?: unknown;
  readonly tools: readonly JsonObject[];
  clone(changes: { readonly tools: readonly unknown[] }): OpenaiAgent;
}

/** Say whether something is an agent of the OpenAI Agents SDK. */
export const isOpenaiAgent = (given: unknown): given is OpenaiAgent =>
  isObject(given) &&
  typeof given['clone'] === 'function' &&
  Array.isArray(given['tools']) &&
  given['instructions'] !== undefined;

/** Play an agent of the OpenAI Agents SDK: one run for each rollout, with a copy whose tools the world answers. */
export async function openaiAgent(given: OpenaiAgent): Promise<FrameworkAgent> {
  const { run } = await installed('@openai/agents', () => import('@openai/agents'));
  const tools = given.tools.filter(({ type }) => type === 'function');
  const play: Agent = async (message, context) => {
    const copy = given.clone({ tools: tools.map((tool) => answeredBy(tool, context)) });
    const { finalOutput, rawResponses } = await run(copy as never, message, { signal: context.signal });
    return { final_text: textOf(finalOutput), ...usageOf(rawResponses) };
  };
  return {
    agent: Object.assign(play, { modelVersion: modelName(given) }),
    tools: tools.map(({ name, description, parameters }) => ({ name, description: description ?? '', parameters })),
    systemPrompt: typeof given.instructions === 'string' ? given.instructions : '',
  };
}

const answeredBy = (tool: JsonObject, { call }: AgentContext) => ({
  ...tool,
  needsApproval: async () => false,
  invoke: async (_context: unknown, input: string) => stringifyJson(await call(String(tool['name']), parsed(input))),
});

function parsed(input: string): unknown {
  try {
    return parseJson(input || '{}');
  } catch {
    return input; // the world refuses it, and the row shows it
  }
}

const textOf = (output: unknown): string => (typeof output === 'string' ? output : stringifyJson(output ?? ''));

function usageOf(responses: unknown): JsonObject {
  const all = Array.isArray(responses)
    ? responses
        .filter(isObject)
        .map(({ usage }) => usage)
        .filter(isObject)
    : [];
  if (all.length === 0) return {};
  const sum = (key: string) => all.reduce((total, usage) => total + Number(usage[key] ?? 0), 0);
  return { usage: { input_tokens: sum('inputTokens'), output_tokens: sum('outputTokens') } };
}

const modelName = ({ model, name }: OpenaiAgent): string => (typeof model === 'string' && model !== '' ? model : name);
