import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { askLabels } from '../../rows/ask.ts';
import { conversationOf } from '../../rows/conversation.ts';
import { schemaVersion } from '../../rows/row-shape.ts';
import { scrub } from '../../rows/scrub.ts';
import { traceRow } from '../../rows/trace-row.ts';
import { lossMask } from './loss-mask.ts';
import type { TrainingOptions } from './training-options.ts';
import { wireMessages } from './wire-messages.ts';

/** What of a row travels on its samples. Nothing else does: no answer key, no gold. */
const carriedKeys = [
  'reward',
  'qwen_reward',
  'reason',
  'prompt',
  'scenario_id',
  'world_state',
  'faults',
  'fault_detected',
  'label_source',
  'failure_class',
  'judge_status',
  'judge_name',
  'lineage',
  'logprob',
  'n_tokens',
  'token_logprobs',
  'sampling',
  'policy_version',
  'writer_model',
  'user_model',
  'usage',
  ...askLabels,
] as const;

/** Make the samples of one row, on the OpenAI wire: one, or one for each of the agent's turns when unrolled. */
export function trainingSamples(row: JsonObject, options: TrainingOptions): readonly JsonObject[] {
  const clean = scrub(row); // first: messages are built from steps, and a key in a text is data no more
  const { messages, outputsCut, charsCut } = wireMessages(conversation(clean), {
    systemPrompt: options.systemPrompt,
    stripThink: options.stripThink,
    maxToolOutputChars: options.maxToolOutputChars,
  });
  const tools = options.tools ?? clean['tools'];
  const sample = {
    messages,
    loss_mask: lossMask(messages, { mode: options.maskMode }),
    ...(outputsCut > 0 ? { tool_output_truncated: outputsCut, tool_output_chars_cut: charsCut } : {}),
    ...(Array.isArray(tools) && tools.length > 0 ? { tools } : {}),
    ...Object.fromEntries(carriedKeys.filter((key) => isWritable(clean[key])).map((key) => [key, clean[key]])),
    schema_version: schemaVersion,
  };
  return options.unroll ? unrolled(sample, row) : [sample];
}

/** Read the messages of a row, rebuilt when it has none. Traces of other stacks have their own names for what was done. */
export function conversation(row: JsonObject): readonly unknown[] {
  const { messages, steps, tool_trace } = row;
  if (Array.isArray(messages) && messages.length > 0) return messages;
  const isForeign = !(Array.isArray(steps) && steps.length > 0) && Array.isArray(tool_trace);
  return conversationOf((isForeign ? traceRow(row) : undefined) ?? row);
}

function unrolled(sample: JsonObject & { readonly messages: readonly JsonObject[] }, row: JsonObject) {
  const turns = sample.messages.flatMap(({ role }, n) => (role === 'assistant' ? [n] : []));
  if (turns.length === 0) return [sample];
  const { lineage } = sample;
  const unrolled_from = {
    prompt_sha1: sha1Hex12(String(row['prompt'] ?? '')),
    rollout_index: row['rollout_index'] ?? null,
    ...(row['scenario_id'] ? { scenario_id: row['scenario_id'] } : {}),
  };
  return turns.map((end, n) => ({
    ...sample,
    messages: sample.messages.slice(0, end + 1),
    loss_mask: Array.from({ length: end + 1 }, (_, at) => (at === end ? 1 : 0)),
    unroll: { turn: n + 1, turns: turns.length },
    lineage: { ...(isObject(lineage) ? lineage : {}), unrolled_from },
  }));
}

export const sha1Hex12 = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 12);

/** NaN and the infinities have no JSON. */
const isWritable = (value: unknown) =>
  value !== undefined && value !== null && !(typeof value === 'number' && !Number.isFinite(value));
