import type { Agent } from '../agents/agent.ts';
import { seededAgent } from '../agents/seeded-agent.ts';
import { TracemillError } from '../core/errors.ts';
import type { Tool } from '../rows/tool.ts';

/** Every word that names an agent. */
export const agentChoices =
  './agent.mjs or ./agent.mjs#name (a function, a Vercel AI SDK or an OpenAI Agents SDK agent), ollama:<model>, vllm:<model>@<url>, openai:<model>, anthropic:<model>, fireworks:<model>, the URL of an OpenAI-compatible host, or seeded to try it out';

/**
 * The agent that a flag names: a function, or a word that the simulation opens.
 *
 * @throws TM_OPTIONS - no agent is given; the choices are named
 */
export function chooseAgent(spec: string | undefined, tools: readonly Tool[], seed: number): Agent | string {
  if (spec === 'seeded') return seededAgent(tools, { seed });
  if (spec !== undefined && spec !== '') return spec;
  throw new TracemillError('TM_OPTIONS', `--agent: no agent is given. Name one: ${agentChoices}`);
}
