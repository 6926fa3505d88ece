import { TracemillError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import type { Ask } from '../rows/ask.ts';
import { cleanFaults } from '../rows/clean-faults.ts';
import { privilegedContext } from '../rows/privileged-context.ts';
import type { Stopwatch } from '../rows/rollout-times.ts';
import type { Row } from '../rows/row.ts';
import { type Execute, realWorld } from '../world/execute.ts';
import { noReply } from '../world/play.ts';
import { type Setup, setupFor, setupOf, toolboxOf, type WorldOptions } from '../world/setup.ts';
import { inScene, type ToolResult, worldOf } from '../world/world.ts';
import { type Agent, type AgentContext, readReply } from './agent.ts';
import { isAuthError } from './auth-error.ts';
import { duringRollout } from './current-rollout.ts';
import { type Policy, promptLineage, rolloutRow } from './rollout-row.ts';
import type { RolloutWatch } from './rollout-watch.ts';
import { type SimulatedUser, scriptedUser } from './simulated-user.ts';
import { unusableReason } from './unusable-reason.ts';

/** Who and what asks are played with. */
export interface Stage {
  readonly agent: Agent;
  readonly tools: unknown;
  readonly systemPrompt: string;
  /** Wins over what the agent says of itself. */
  readonly modelVersion?: string | undefined;
  readonly sampling?: JsonObject | null | undefined;
  readonly world: Omit<WorldOptions, 'seed' | 'faults' | 'worldState'>;
  /** Real tools in the place of the mock ones. */
  readonly execute?: Execute | undefined;
  /** Make the person of one ask, for agents that talk on. */
  readonly user?: ((ask: Ask) => SimulatedUser) | undefined;
  /** Times an ask is played before it is given up. */
  readonly maxTries: number;
  readonly watch?: RolloutWatch | undefined;
}

/**
 * Prepare a stage: the tools are read once. The answer plays one ask to its row.
 *
 * @throws TM_AGENT - after `maxTries` unusable rollouts, with the reason of the last
 * @throws TM_AUTH - a model host refused the key
 */
export function askPlayer(stage: Stage): (ask: Ask, signal: AbortSignal) => Promise<Row> | Row {
  const setup = setupOf(toolboxOf(stage.tools), stage.world);
  const scene = { setup, policy: policyOf(stage, setup), tools: [...setup.tools.values()].map(({ tool }) => tool) };
  const attempt = (one: Try): Promise<Row> | Row => {
    const again = (cause: unknown): Promise<Row> | Row => {
      const error = asAgentError(cause);
      const isLost = one.tries >= stage.maxTries || error.code === 'TM_AUTH' || one.signal.aborted;
      stage.watch?.unusable(error.reason, error.message, isLost);
      if (isLost) throw error;
      return attempt({ ...one, tries: one.tries + 1 });
    };
    stage.watch?.asked();
    try {
      const row = playOnce(stage, scene, one);
      return row instanceof Promise ? row.catch(again) : row;
    } catch (cause) {
      return again(cause);
    }
  };
  return (given, signal) =>
    attempt({ ask: stage.agent.isConversational ? given : saidAtOnce(given), tries: 1, signal });
}

/** What all asks of a stage are played in. */
interface Scene {
  readonly setup: Setup;
  readonly policy: Policy;
  readonly tools: AgentContext['tools'];
}

/** One try at one ask. */
interface Try {
  readonly ask: Ask;
  readonly tries: number;
  readonly signal: AbortSignal;
}

/** An agent that answers at once is played at once: its rollout costs neither a promise nor a turn. */
function playOnce(stage: Stage, scene: Scene, { ask, tries, signal }: Try): Promise<Row> | Row {
  const recorded: JsonObject[] = [];
  const { seed, prompt, rollout_index: rolloutIndex } = ask;
  const faults = cleanFaults(ask.faults);
  const rollout = { seed, faults, worldState: ask.world_state ?? null };
  const privileged = ask.privileged ?? privilegedContext(ask.scenario_dimensions, faults);
  const setup = setupFor(scene.setup, rollout);
  const times = stage.watch?.times?.begin();
  const finish = (returned: unknown): Row => {
    const reply = readReply(returned, recorded);
    const { final_text, steps, facts } = reply;
    const reason = unusableReason({ final_text, steps });
    if (reason) throw new TracemillError('TM_AGENT', `${reason}: ${final_text.slice(0, 200) || 'no text'}`, { reason });
    const row = rolloutRow(ask, reply, answeredBy(facts, scene.policy), privileged);
    times?.end(String(row.rollout_id));
    stage.watch?.landed(row, reply.thoughts);
    return row;
  };
  return inScene(rollout, ({ cell }) => {
    const served = { prompt, rolloutIndex, seed };
    const tools = stage.execute ? realWorld(setup, stage.execute, served) : worldOf(setup, cell);
    const person = personOf(stage, ask);
    const user = person && times ? timed(person, times) : person;
    const call = async (name: string, args?: unknown): Promise<ToolResult> => {
      const ended = times?.act('tool');
      const answer = await tools.call(name, args);
      const result = answer['answer'] === noReply && person ? await askPerson(person, args, signal) : answer;
      ended?.();
      recorded.push({ tool: name, arguments: args ?? {}, result });
      return result;
    };
    const repeat = [ask.ask_id, rolloutIndex, ask.lineage?.['eval_run'] ?? null, tries];
    const { systemPrompt, agent } = stage;
    const { opener, world_state } = ask;
    const context: AgentContext = {
      ...{ call, signal, user, repeat, privileged, tools: scene.tools, systemPrompt, seed, prompt, rolloutIndex },
      history: opener ? [{ role: 'assistant', content: opener }] : [],
      worldState: world_state ?? null,
      faults: faults as AgentContext['faults'],
    };
    const returned = duringRollout(context, () => agent(prompt, context));
    return isPromise(returned) ? Promise.resolve(returned).then(finish) : finish(returned);
  });
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** The person of an ask: its prepared words first, then whoever plays on. */
function personOf({ agent, user }: Stage, ask: Ask): SimulatedUser | undefined {
  const turns = agent.isConversational ? (ask.user_turns ?? []) : [];
  const person = user?.(ask);
  return turns.length > 0 ? scriptedUser(turns, person) : person;
}

/** The same person; when it thinks is taken down. */
function timed(person: SimulatedUser, times: Stopwatch): SimulatedUser {
  return {
    model: person.model,
    get pending() {
      return person.pending;
    },
    async next(transcript, signal) {
      const ended = times.act('user');
      const turn = await person.next(transcript, signal);
      if ('text' in turn) ended(); // who leaves says nothing that a row would tell
      return turn;
    },
  };
}

/** An agent that speaks once hears at once all that the person has prepared to say. */
function saidAtOnce(ask: Ask): Ask {
  const { user_turns = [], ...rest } = ask;
  return user_turns.length === 0 ? ask : { ...rest, prompt: [ask.prompt, ...user_turns].join('\n\n') };
}

async function askPerson(user: SimulatedUser, args: unknown, signal: AbortSignal): Promise<ToolResult> {
  const question = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  const turn = await user.next([{ role: 'assistant', content: question }], signal);
  return { answer: 'text' in turn ? turn.text : noReply };
}

function policyOf({ agent, systemPrompt, modelVersion, sampling }: Stage, { tools }: Setup): Policy {
  const model = modelVersion ?? agent.modelVersion ?? (agent.name || 'agent');
  const lineage = promptLineage(systemPrompt);
  return {
    modelVersion: model,
    version: `${model}@${lineage.system_prompt_sha}`,
    userModel: agent.userModel ?? null,
    sampling: sampling ?? agent.sampling ?? null,
    toolNames: new Set(tools.keys()),
    promptLineage: lineage,
  };
}

/** The model that really answered, when the agent says which. */
function answeredBy({ model_version, sampling }: JsonObject, policy: Policy): Policy {
  const isNamed = typeof model_version === 'string' && model_version !== '';
  return {
    ...policy,
    ...(isNamed
      ? { modelVersion: model_version, version: `${model_version}@${policy.promptLineage.system_prompt_sha}` }
      : {}),
    ...(policy.sampling === null && isObject(sampling) ? { sampling } : {}),
  };
}

function asAgentError(cause: unknown): TracemillError {
  if (cause instanceof TracemillError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isAuthError(cause)) return new TracemillError('TM_AUTH', message, { cause });
  return new TracemillError('TM_AGENT', `the agent threw: ${message}`, { cause, reason: 'agent_error' });
}
