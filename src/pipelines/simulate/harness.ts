import { agentFrom, type Players } from '../../agents/agent-from.ts';
import { frameworkAgent } from '../../agents/frameworks/index.ts';
import { isAgentPath, loadAgentModule } from '../../agents/load-agent.ts';
import { TracemillError } from '../../core/errors.ts';
import type { Models } from '../../models/models.ts';
import { type Tool, toolsFrom } from '../../rows/tool.ts';
import { readAgentSpec } from '../../sources/agent-spec.ts';
import type { SimulateSettings } from './options.ts';

/** An agent with all that is known of it: from the caller, from its own package, from its folder. */
export interface Harness {
  /** What plays: a function, or a word that names it. */
  readonly agent: unknown;
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
  readonly seeds: readonly string[];
  readonly rubric: unknown;
}

/**
 * Gather what is known of an agent. Its own tools and instructions stand; what the caller says is added, unless it is
 * there already.
 *
 * @throws TM_OPTIONS - a module, a folder or tools that cannot be read
 */
export async function harnessOf(settings: SimulateSettings, folder: string | undefined): Promise<Harness> {
  const spec = settings.spec ? await readAgentSpec(settings.spec) : undefined;
  const given: unknown = settings.agent ?? settings.backend ?? undefined;
  const loaded: unknown =
    typeof given === 'string' && isAgentPath(given) ? await loadAgentModule(given, folder) : given;
  const own = typeof loaded === 'object' && loaded !== null ? await frameworkAgent(loaded) : undefined;
  const caller = settings.tools === undefined || settings.tools === null ? [] : toolsFrom(settings.tools);
  return {
    agent: own?.agent ?? loaded,
    tools: merged([caller, own ? toolsFrom(own.tools) : [], spec?.tools ?? []]),
    systemPrompt: joined([own?.systemPrompt ?? '', spec?.systemPrompt ?? '', settings.prompt]),
    seeds: [...(spec?.situations ?? []), ...(settings.seeds ?? []), ...(settings.advanced.seedPrompts ?? [])],
    rubric: settings.rubric ?? spec?.rubric,
  };
}

/** The first tool of each name. */
function merged(lists: readonly (readonly Tool[])[]): readonly Tool[] {
  const byName = new Map<string, Tool>();
  for (const tool of lists.flat()) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  return [...byName.values()];
}

const joined = (texts: readonly string[]): string =>
  texts.reduce(
    (all, text) => (text.trim() === '' || all.includes(text.trim()) ? all : all === '' ? text : `${all}\n\n${text}`),
    '',
  );

/**
 * Make the players of a harness.
 *
 * @throws TM_OPTIONS - no agent at all: the choices are named
 */
export function playersOf({ agent, tools }: Harness, settings: SimulateSettings, models: Models): Promise<Players> {
  if (agent === undefined)
    throw new TracemillError(
      'TM_OPTIONS',
      'agent: there is none. Give a function, a module ./agent.mjs#name, a Vercel AI SDK or OpenAI Agents SDK agent, ollama:<model>, vllm:<model>@<url>, openai:<model>, anthropic:<model>, fireworks:<model>, the URL of an OpenAI-compatible host, or seededAgent(tools) to try it out',
    );
  const { temperature, agentMaxTokens, maxTurns, avgTurns, minUserTurns, patience, logprobs, scaffold } = settings;
  return agentFrom(agent, {
    models,
    tools,
    talk: {
      temperature,
      avgTurns,
      minUserTurns,
      patience,
      logprobs,
      ...(agentMaxTokens && { agentMaxTokens }),
      ...(maxTurns && { maxTurns: Math.max(2, maxTurns) }),
      ...(scaffold && { scaffold }),
    },
    userModel: settings.userModel ?? undefined,
  });
}
