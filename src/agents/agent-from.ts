import { TracemillError } from '../core/errors.ts';
import { isBackendSpec } from '../models/backend-spec.ts';
import type { Models } from '../models/models.ts';
import type { Ask } from '../rows/ask.ts';
import { toolsFrom } from '../rows/tool.ts';
import type { Agent } from './agent.ts';
import { frameworkAgent } from './frameworks/index.ts';
import { isAgentPath, loadAgent } from './load-agent.ts';
import { modelAgent } from './model-agent.ts';
import { modelUser } from './model-user.ts';
import type { SimulatedUser } from './simulated-user.ts';

/** Who plays, and the person it talks to. */
export interface Players {
  readonly agent: Agent;
  /** Makes the person of an ask; undefined for an agent that speaks once. */
  readonly user: ((ask: Ask) => SimulatedUser) | undefined;
}

interface Choice {
  readonly models: Models;
  readonly tools: unknown;
  /** Options of a model's conversation: see `modelAgent`. */
  readonly talk?: Parameters<typeof modelAgent>[1];
  /** Model that plays the person. Default: the agent's. */
  readonly userModel?: string | undefined;
  /** Folder that module paths start from. */
  readonly folder?: string | undefined;
}

/** How an agent behind a plain URL samples. */
const httpTalk = { temperature: 0.3, agentMaxTokens: 1024 } as const;

/**
 * Make the agent that a caller names: a function plays as it is; `./agent.mjs#name` is loaded; `ollama:`, `vllm:`,
 * `openai:`, `anthropic:` and `fireworks:` models talk with a simulated person; a plain URL speaks alone.
 *
 * @throws TM_OPTIONS - no agent, a word that names none, a URL without tools
 * @throws TM_AUTH - a remote host whose key is not set
 */
export async function agentFrom(given: unknown, { models, tools, talk, userModel, folder }: Choice): Promise<Players> {
  if (typeof given === 'function') return { agent: given as Agent, user: undefined };
  if (typeof given === 'object' && given !== null)
    return { agent: (await frameworkAgent(given)).agent, user: undefined };
  if (typeof given !== 'string' || given === '') throw refused('give a function, a module path or a model');
  if (isAgentPath(given)) return { agent: await loadAgent(given, folder), user: undefined };
  if (!isBackendSpec(given)) throw refused(`${given} is neither a module path nor a model such as ollama:llama3.1`);
  const model = models.open(given);
  const known = toolsFrom(tools);
  if (/^https?:/.test(given)) {
    if (known.length === 0) throw refused(`${given} needs tools`);
    return { agent: modelAgent(model, { ...talk, ...httpTalk }), user: undefined };
  }
  const person = userModel === undefined ? model : models.open(userModel);
  const agent = Object.assign(modelAgent(model, talk), { userModel: person.name });
  return { agent, user: (ask) => modelUser({ model: person, ask, tools: known }) };
}

const refused = (message: string) => new TracemillError('TM_OPTIONS', `agent: ${message}`);
