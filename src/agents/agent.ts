import { TracemillError } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import type { FaultPlan } from '../rows/ask.ts';
import { canonicalStep } from '../rows/canonical-step.ts';
import type { Message } from '../rows/conversation.ts';
import type { Privileged } from '../rows/privileged.ts';
import type { Tool } from '../rows/tool.ts';
import type { ToolResult } from '../world/world.ts';
import type { SimulatedUser } from './simulated-user.ts';
import { type Reasoned, splitReasoning } from './split-reasoning.ts';

/** What an agent has at hand while it plays one rollout. It travels along its asynchronous calls: `currentRollout()`. */
export interface AgentContext {
  /** Call a tool of this rollout's world. What goes wrong is an answer with a status; it never rejects. */
  call(name: string, args?: unknown): Promise<ToolResult>;
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
  /** What was said before the message: the agent's own opener, if it opened. */
  readonly history: readonly Message[];
  /** Aborts when nobody waits for the rollout any more. */
  readonly signal: AbortSignal;
  readonly seed: number;
  /** What tells this rollout from every other: the ask, the repeat, the run and the try. For draws and caches. */
  readonly repeat: readonly unknown[];
  /** The ask as the row will carry it. */
  readonly prompt: string;
  readonly rolloutIndex: number;
  readonly worldState: string | null;
  readonly faults: FaultPlan | null;
  /** The answer key. For agents that test graders; a policy that reads it leaks. */
  readonly privileged: Privileged | undefined;
  /** The person, for agents that talk on; the others speak once. */
  readonly user: SimulatedUser | undefined;
}

/** What an agent says of itself; rows carry it. */
export interface AgentTraits {
  readonly name?: string;
  /** Name of the model that answers. Default: the agent's name. */
  readonly modelVersion?: string;
  /** Name of the model that plays the person, for an agent that talks on. */
  readonly userModel?: string | null;
  /** `temperature`, `max_tokens`, `model`: how it samples. */
  readonly sampling?: JsonObject | null;
  /** It talks on: later words of a scripted person reach it as turns, not at once. */
  readonly isConversational?: boolean;
}

/**
 * Play one rollout: answer a message with a text, or with `{final_text, steps?, finish_reason?, opener?, ended_by?,
 * seeded?}`; at once or as a promise. Steps are `{tool, arguments, result, text?}`, `{text}` or `{user}`; left out, the
 * calls made through the context are the steps.
 */
export type Agent = ((message: string, context: AgentContext) => unknown) & AgentTraits;

/** A reply that was understood. */
export interface AgentReply {
  readonly final_text: string;
  readonly steps: readonly JsonObject[];
  /** Whatever else the agent said of the rollout: `finish_reason`, `opener`, `seeded`, `usage` ... */
  readonly facts: JsonObject;
  /** Blocks of thought that were taken out of its words. */
  readonly thoughts: { readonly closed: number; readonly unclosed: number };
}

/**
 * Read what an agent returned. Thoughts in `<think>` reach neither text nor steps; arguments as JSON text become the
 * object, text that is none is kept raw.
 *
 * @throws TM_AGENT agent_error - null, an object with neither `steps` nor `final_text`, or parts of a wrong type
 */
export function readReply(returned: unknown, recorded: readonly JsonObject[] = []): AgentReply {
  if (typeof returned === 'string') return reply(returned, recorded, {});
  if (!isObject(returned))
    throw wrongShape(returned === null ? 'null' : Array.isArray(returned) ? 'a list' : typeof returned);
  const { final_text, finalText, steps, ...facts } = returned;
  const text = final_text ?? finalText;
  if (text === undefined && steps === undefined)
    throw wrongShape(`an object with ${Object.keys(returned).join(', ') || 'no keys'}`);
  return reply(textIn(text), stepsIn(steps) ?? recorded, facts);
}

function textIn(text: unknown): string {
  if (text === undefined || text === null) return '';
  if (typeof text !== 'string') throw wrongShape(`a final_text that is a ${typeof text}`);
  return text;
}

function stepsIn(steps: unknown): readonly JsonObject[] | undefined {
  if (steps === undefined || steps === null) return undefined;
  if (!Array.isArray(steps)) throw wrongShape(`steps that are a ${typeof steps}`);
  return steps.filter(isObject);
}

function reply(text: string, steps: readonly JsonObject[], facts: JsonObject): AgentReply {
  const said = splitReasoning(text);
  const read = steps.map(readStep);
  const all: readonly Reasoned[] = [said, ...read.flatMap(({ reasoned }) => (reasoned ? [reasoned] : []))];
  return {
    final_text: said.spoken,
    steps: read.map(({ step }) => step),
    facts,
    thoughts: {
      closed: all.reduce((sum, { closed }) => sum + closed, 0),
      unclosed: all.filter(({ unclosed }) => unclosed).length,
    },
  };
}

function readStep(returned: JsonObject): { readonly step: JsonObject; readonly reasoned?: Reasoned } {
  const given = canonicalStep(returned);
  const step = typeof given['arguments'] === 'string' ? { ...given, ...readArguments(given['arguments']) } : given;
  if (typeof step['text'] !== 'string') return { step };
  const reasoned = splitReasoning(step['text']);
  return { step: { ...step, text: reasoned.spoken }, reasoned };
}

/** Decode arguments until they are an object, at most twice; what is none stays as it came, and the step says so. */
function readArguments(text: string): JsonObject {
  let value: unknown = text;
  for (let n = 0; n < 2 && typeof value === 'string'; n++)
    try {
      value = parseJson(value);
    } catch {
      break; // kept raw below
    }
  return isObject(value) ? { arguments: value } : { arguments: undefined, arguments_raw: text };
}

const wrongShape = (got: string) =>
  new TracemillError('TM_AGENT', `the agent returned ${got}; return a text or {final_text, steps}`, {
    reason: 'agent_error',
  });
