import { hash } from 'node:crypto';
import { idOf } from '../core/ids.ts';
import type { JsonObject } from '../core/json-object.ts';
import { type Ask, askLabels } from '../rows/ask.ts';
import { behaviorSignature } from '../rows/behavior-signature.ts';
import { cleanFaults } from '../rows/clean-faults.ts';
import { conversationOf } from '../rows/conversation.ts';
import { privilegedContext } from '../rows/privileged-context.ts';
import type { Row } from '../rows/row.ts';
import { traceFault } from '../rows/trace-fault.ts';
import type { AgentReply } from './agent.ts';
import { finishReason } from './finish-reason.ts';
import { rollUpSampling } from './roll-up-sampling.ts';

/** What all rollouts of a run have in common. */
export interface Policy {
  /** Name of the model that answered. */
  readonly modelVersion: string;
  /** `<model>@<first 16 hex digits of the sha256 of the system prompt>`. */
  readonly version: string;
  readonly userModel: string | null;
  readonly sampling: JsonObject | null;
  readonly toolNames: ReadonlySet<string>;
  /** What rows say of the system prompt. */
  readonly promptLineage: { readonly system_prompt_sha: string } & JsonObject;
}

const headLength = 120; // characters of the prompt that a row shows

/** Say of a system prompt what rows say: its hash, its first words, its length. */
export const promptLineage = (systemPrompt: string): Policy['promptLineage'] => ({
  system_prompt_sha: hash('sha256', systemPrompt, 'hex').slice(0, 16),
  system_prompt_head: systemPrompt.slice(0, headLength),
  system_prompt_chars: systemPrompt.length,
});

/** Name a rollout: the ask, the repeat, the policy and the run of an evaluation decide. */
export function rolloutId(ask: Ask, version: string): string {
  return idOf([ask.ask_id, ask.rollout_index, version, ask.lineage?.['eval_run'] ?? null]);
}

/** Words that say that a label is not known. */
const unspoken = new Set(['unspecified', 'unknown', '']);

/** Write the row of one rollout: what the ask brought, what the agent did, and nothing judged yet. */
export function rolloutRow(ask: Ask, reply: AgentReply, policy: Policy): Row {
  const asked = Object.fromEntries(Object.entries(ask).filter(([name]) => !ownFields.has(name)));
  const { final_text, facts } = reply;
  const steps = [...reply.steps];
  const tools_used = [...new Set(steps.flatMap(({ tool }) => (typeof tool === 'string' ? [tool] : [])))];
  const faults = cleanFaults(ask.faults);
  const dimensions = ask.scenario_dimensions ?? realized(steps, tools_used);
  const bare = {
    ...asked,
    ...pick(facts, replyFacts),
    ...rollUpSampling(steps),
    prompt: ask.prompt,
    steps,
    final_text,
  };
  return {
    schema_version: '1',
    scenario_id: ask.scenario_id,
    rollout_id: rolloutId(ask, policy.version),
    rollout_index: ask.rollout_index,
    ...bare,
    ...labels(ask, dimensions, policy),
    messages: [...conversationOf(bare)],
    tools_used,
    scenario_dimensions: dimensions,
    selection_reason: ask.selection_reason ?? null,
    world_state: unspoken.has(ask.world_state ?? '') ? null : (ask.world_state ?? null),
    faults,
    behavior_signature: signature(bare),
    model_version: policy.modelVersion,
    policy_version: policy.version,
    user_model: policy.userModel,
    sampling: policy.sampling,
    lineage: { ...policy.promptLineage, ...ask.lineage },
    finish_reason: finishReason({ ...facts, steps, final_text }),
    semantic_cluster: ask.semantic_cluster ?? null,
    semantic_novelty: ask.semantic_novelty ?? null,
    parent_failure_id: ask.parent_failure_id ?? null,
    ...unjudged,
    privileged: ask.privileged ?? privilegedContext(ask.scenario_dimensions, faults),
  };
}

/** Fields of an ask that a row has in another form, or in another place. */
const ownFields: ReadonlySet<string> = new Set(['ask_id', 'user_turns', ...askLabels]);

/** What no rollout has yet. */
const unjudged = { reward: null, reason: null, grader_reason: null } as const;

/** What an agent may say of a rollout beside words and steps. */
const replyFacts = [
  'opener',
  'ended_by',
  'user_error',
  'seeded',
  'logprob',
  'n_tokens',
  'token_logprobs',
  'usage',
] as const;

const pick = (facts: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(facts).filter(([name, value]) => names.includes(name) && value !== undefined && value !== null),
  );
const signature = (row: JsonObject): string => hash('sha256', behaviorSignature(row), 'hex').slice(0, 12);

/** The labels every row has, with what can be said where the ask says nothing. */
function labels(ask: Ask, dimensions: JsonObject, { toolNames }: Policy): JsonObject {
  const { tool } = dimensions;
  const isTool = typeof tool === 'string' && toolNames.has(tool);
  const usual: JsonObject = {
    tier: 'ordinary',
    ask_family: isTool ? 'tool' : 'open',
    intent_known: true,
    tool_known: isTool,
  };
  const own = askLabels.map((name) => [name, ask[name] ?? usual[name]]);
  return Object.fromEntries(own.filter(([, value]) => value !== undefined));
}

/** An ask without a cell is placed by what happened. */
function realized(steps: readonly JsonObject[], toolsUsed: readonly string[]): JsonObject {
  const fault = traceFault({ steps });
  const condition = {
    timeout: 'timeout',
    malformed: 'malformed_result',
    stale: 'stale_result',
    deny: 'permission_denied',
  };
  const tool_condition = Object.hasOwn(condition, fault) ? condition[fault as keyof typeof condition] : 'success';
  const tool = toolsUsed.length > 1 ? 'multi_tool' : (toolsUsed[0] ?? 'unrelated');
  return { tool, tool_condition, origin: 'realized' };
}
