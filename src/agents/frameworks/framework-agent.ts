import { TracemillError } from '../../core/errors.ts';
import type { Agent } from '../agent.ts';

/** An agent that another package made, with what it says of itself. */
export interface FrameworkAgent {
  readonly agent: Agent;
  /** Its tools, in a form that `toolsFrom` reads. */
  readonly tools: readonly unknown[];
  readonly systemPrompt: string;
}

/** @throws TM_OPTIONS - names the command that installs the package */
export async function installed<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new TracemillError('TM_OPTIONS', `agent: ${name} is not installed; run npm install ${name}`, { cause });
  }
}
