import { TracemillError } from '../../core/errors.ts';
import { aiSdkAgent, isAiSdkAgent } from './ai-sdk.ts';
import type { FrameworkAgent } from './framework-agent.ts';
import { isOpenaiAgent, openaiAgent } from './openai-agents.ts';

/** Say whether something may be an agent of another package. */
export const isFrameworkAgent = (given: unknown): given is object => isAiSdkAgent(given) || isOpenaiAgent(given);

/**
 * Take an agent of the Vercel AI SDK or of the OpenAI Agents SDK. Its own model plays; its tools are called by name and
 * answered by the rollout's world, never for real.
 *
 * @throws TM_OPTIONS - it is neither, or its package is not installed
 */
export async function frameworkAgent(given: object): Promise<FrameworkAgent> {
  if (isAiSdkAgent(given)) return aiSdkAgent(given);
  if (isOpenaiAgent(given)) return openaiAgent(given);
  throw new TracemillError(
    'TM_OPTIONS',
    'agent: the object is neither a Vercel AI SDK agent (ToolLoopAgent) nor an OpenAI Agents SDK agent; give a function',
  );
}
