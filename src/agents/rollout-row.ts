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

/**
 * Write the row of one rollout: what the ask brought, what the agent did, and nothing judged yet. `privileged` is the
 * answer key, where it was written before. It is filled field by field, as copies cost more than all else.
 */
export function rolloutRow(
  ask: Ask,
  reply: AgentReply,
  policy: Policy,
  privileged = ask.privileged ?? privilegedContext(ask.scenario_dimensions, ask.faults),
): Row {
  const { final_text, facts } = reply;
  const steps = [...reply.steps];
  const tools_used = [...new Set(steps.flatMap(({ tool }) => (typeof tool === 'string' ? [tool] : [])))];
  const dimensions = ask.scenario_dimensions ?? realized(steps, tools_used);
  const row: Record<string, unknown> = {
    schema_version: '1',
    scenario_id: ask.scenario_id,
    rollout_id: rolloutId(ask, policy.version),
    rollout_index: ask.rollout_index,
  };
  addBrought(row, ask, facts);
  Object.assign(row, rollUpSampling(steps), { prompt: ask.prompt, steps, final_text });
  const said = { messages: [...conversationOf(row)], signature: signature(row) }; // before a label or a verdict is there
  addLabels(row, ask, dimensions, policy);
  return Object.assign(row, {
    schema_version: '1' as const,
    scenario_id: ask.scenario_id,
    prompt: ask.prompt,
    steps,
    final_text,
    messages: said.messages,
    tools_used,
    scenario_dimensions: dimensions,
    selection_reason: ask.selection_reason ?? null,
    world_state: unspoken.has(ask.world_state ?? '') ? null : (ask.world_state ?? null),
    faults: cleanFaults(ask.faults),
    behavior_signature: said.signature,
    model_version: policy.modelVersion,
    policy_version: policy.version,
    user_model: policy.userModel,
    sampling: policy.sampling,
    lineage: { ...policy.promptLineage, ...ask.lineage },
    finish_reason: finishReason({ finish_reason: facts['finish_reason'], steps, final_text }),
    semantic_cluster: ask.semantic_cluster ?? null,
    semantic_novelty: ask.semantic_novelty ?? null,
    parent_failure_id: ask.parent_failure_id ?? null,
    ...unjudged,
    privileged,
  });
}

/** Fields of an ask that a row has in another form, or in another place. */
const ownFields: ReadonlySet<string> = new Set(['ask_id', 'user_turns', ...askLabels]);

/** What no rollout has yet. */
const unjudged = { reward: null, reason: null, grader_reason: null } as const;

/** Unknown fields of the ask travel on; those that the agent adds are known. */
function addBrought(row: Record<string, unknown>, ask: Ask, facts: JsonObject): void {
  for (const name of Object.keys(ask)) if (!ownFields.has(name)) row[name] = ask[name];
  for (const name of Object.keys(facts))
    if (replyFacts.has(name) && facts[name] !== undefined && facts[name] !== null) row[name] = facts[name];
}

/** What an agent may say of a rollout beside words and steps. */
const replyFacts: ReadonlySet<string> = new Set([
  'opener',
  'ended_by',
  'user_error',
  'seeded',
  'logprob',
  'n_tokens',
  'token_logprobs',
  'usage',
]);

const signature = (row: JsonObject): string => hash('sha256', behaviorSignature(row), 'hex').slice(0, 12);

/** The labels every row has, with what can be said where the ask says nothing. */
function addLabels(row: Record<string, unknown>, ask: Ask, { tool }: JsonObject, { toolNames }: Policy): void {
  const isTool = typeof tool === 'string' && toolNames.has(tool);
  const usual: JsonObject = {
    tier: 'ordinary',
    ask_family: isTool ? 'tool' : 'open',
    intent_known: true,
    tool_known: isTool,
  };
  for (const name of askLabels) {
    const label = ask[name] ?? usual[name];
    if (label !== undefined) row[name] = label;
  }
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
