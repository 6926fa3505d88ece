import type { Agent } from '../agents/agent.ts';
import { isAgentPath, loadAgent } from '../agents/load-agent.ts';
import { seededAgent } from '../agents/seeded-agent.ts';
import { TracemillError } from '../core/errors.ts';
import type { Tool } from '../rows/tool.ts';

/**
 * The agent that a flag names.
 *
 * @throws TM_OPTIONS - it names none
 */
export async function chooseAgent(spec: string | undefined, tools: readonly Tool[], seed: number): Promise<Agent> {
  if (spec === 'seeded') return seededAgent(tools, { seed });
  if (spec !== undefined && isAgentPath(spec)) return loadAgent(spec);
  const what = spec === undefined ? 'no agent is given' : `no agent is called ${spec}`;
  throw new TracemillError(
    'TM_OPTIONS',
    `--agent: ${what}. Name a module, ./agent.mjs or ./agent.mjs#name, or "seeded" to try it out`,
  );
}
