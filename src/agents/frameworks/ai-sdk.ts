import { isObject, type JsonObject } from '../../core/json-object.ts';
import type { Agent } from '../agent.ts';
import { currentRollout } from '../current-rollout.ts';
import { type FrameworkAgent, installed } from './framework-agent.ts';

/** The part of a Vercel AI SDK agent that is used. */
interface AiSdkAgent {
  readonly version: string;
  readonly tools?: Readonly<Record<string, AiSdkTool>>;
  generate(options: { readonly prompt: string; readonly abortSignal: AbortSignal }): PromiseLike<AiSdkResult>;
  /** Where `ToolLoopAgent` keeps what it was made with. */
  readonly settings?: { readonly instructions?: unknown; readonly model?: unknown };
}
interface AiSdkTool {
  readonly description?: string;
  readonly inputSchema?: unknown;
  execute?: (input: unknown, options: unknown) => unknown;
}
interface AiSdkResult {
  readonly text: string;
  readonly finishReason?: string;
  readonly totalUsage?: { readonly inputTokens?: number; readonly outputTokens?: number };
}

/** Say whether something is an agent of the Vercel AI SDK. */
export const isAiSdkAgent = (given: unknown): given is AiSdkAgent =>
  isObject(given) && typeof given['generate'] === 'function' && /^agent-v/u.test(String(given['version']));

/** Play an agent of the Vercel AI SDK: one `generate` for each rollout; the world answers its tools. */
export async function aiSdkAgent(given: AiSdkAgent): Promise<FrameworkAgent> {
  const { asSchema } = await installed('ai', () => import('ai'));
  const tools = await Promise.all(
    Object.entries(given.tools ?? {}).map(async ([name, tool]) => {
      answeredByTheWorld(name, tool);
      return {
        name,
        description: tool.description ?? '',
        parameters: await asSchema(tool.inputSchema as never).jsonSchema,
      };
    }),
  );
  const { instructions, model } = given.settings ?? {};
  const play: Agent = async (message, { signal }) =>
    replyOf(await given.generate({ prompt: message, abortSignal: signal }));
  return {
    agent: Object.assign(play, { modelVersion: modelName(model) }),
    tools,
    systemPrompt: typeof instructions === 'string' ? instructions : '',
  };
}

/** Inside of a rollout its world answers; outside of one the tool does what it always did. */
function answeredByTheWorld(name: string, tool: AiSdkTool): void {
  const { execute } = tool;
  tool.execute = (input, options) => {
    const rollout = currentRollout();
    return rollout ? rollout.call(name, input) : execute?.call(tool, input, options);
  };
}

function replyOf({ text, finishReason, totalUsage }: AiSdkResult): JsonObject {
  const { inputTokens, outputTokens } = totalUsage ?? {};
  return {
    final_text: text,
    ...(finishReason === 'length' && { finish_reason: 'length' }),
    ...(inputTokens !== undefined && { usage: { input_tokens: inputTokens, output_tokens: outputTokens ?? 0 } }),
  };
}

const modelName = (model: unknown): string =>
  typeof model === 'string'
    ? model
    : isObject(model) && typeof model['modelId'] === 'string'
      ? model['modelId']
      : 'ai-sdk';
