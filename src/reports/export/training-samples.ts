import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { askLabels } from '../../rows/ask.ts';
import { conversationOf } from '../../rows/conversation.ts';
import { numericOf } from '../../rows/numeric.ts';
import { schemaVersion } from '../../rows/row-shape.ts';
import { scrub } from '../../rows/scrub.ts';
import { traceRow } from '../../rows/trace-row.ts';
import { agentOfRow, type RowAgent } from './agent-of-row.ts';
import { lossMask, type Weight } from './loss-mask.ts';
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

/** The samples of one row, and who says what its agent was told. */
interface RowSamples {
  readonly samples: readonly JsonObject[];
  readonly said: RowAgent['said'];
}

/**
 * Make the samples of one row, on the OpenAI wire: one, or one for each of the agent's turns when unrolled. A turn that weighs
 * 0 is never trained; a row of which no turn is left to train gives none.
 */
export function trainingSamples(row: JsonObject, options: TrainingOptions): RowSamples {
  const clean = scrub(row); // first: messages are built from steps, and a key in a text is data no more
  const talk = conversation(clean);
  const { systemPrompt, isGiven, tools, said } = agentOfRow(clean, talk, options);
  const given = weightsOf(clean, talk.length);
  const { messages, weights, outputsCut, charsCut } = wireMessages(
    talk,
    { maxToolOutputChars: undefined, ...options, systemPrompt, isGiven },
    given,
  );
  const loss_mask = lossMask(messages, { mode: options.maskMode, weights });
  if (!loss_mask.includes(1) && messages.some(({ role }) => role === 'assistant')) return { samples: [], said };
  const sample = {
    messages,
    loss_mask,
    ...(outputsCut > 0 ? { tool_output_truncated: outputsCut, tool_output_chars_cut: charsCut } : {}),
    ...(tools ? { tools } : {}),
    ...Object.fromEntries(carriedKeys.filter((key) => isWritable(clean[key])).map((key) => [key, clean[key]])),
    schema_version: schemaVersion,
  };
  return { samples: options.unroll ? unrolled(sample, row, lossMask(messages, { weights })) : [sample], said };
}

/**
 * What each message of a row weighs in the loss: as its file said, or as a set that it was read from masked it. Weights that
 * do not fit the messages, where one is 0, cannot say which turn it is of: no turn is trained then.
 */
function weightsOf({ loss_weights, loss_mask }: JsonObject, messages: number): readonly Weight[] {
  const given: unknown = loss_weights ?? loss_mask;
  if (!Array.isArray(given)) return [];
  const weights = given.map(numericOf);
  if (weights.length === messages) return weights;
  return weights.some((weight) => weight === 0) ? Array.from({ length: messages }, () => 0) : [];
}

/** Read the messages of a row, rebuilt when it has none. Traces of other stacks have their own names for what was done. */
export function conversation(row: JsonObject): readonly unknown[] {
  const { messages, steps, tool_trace } = row;
  if (Array.isArray(messages) && messages.length > 0) return messages;
  const isForeign = !(Array.isArray(steps) && steps.length > 0) && Array.isArray(tool_trace);
  return conversationOf((isForeign ? traceRow(row) : undefined) ?? row);
}

function unrolled(
  sample: JsonObject & { readonly messages: readonly JsonObject[] },
  row: JsonObject,
  trained: readonly (0 | 1)[],
): readonly JsonObject[] {
  const turns = sample.messages.flatMap(({ role }, n) => (role === 'assistant' ? [n] : []));
  if (turns.length === 0) return [sample];
  const { lineage } = sample;
  const unrolled_from = {
    prompt_sha1: sha1Hex12(String(row['prompt'] ?? '')),
    rollout_index: row['rollout_index'] ?? null,
    ...(row['scenario_id'] ? { scenario_id: row['scenario_id'] } : {}),
  };
  const samples = turns.map((end, n) => ({
    ...sample,
    messages: sample.messages.slice(0, end + 1),
    loss_mask: Array.from({ length: end + 1 }, (_, at) => (at === end ? 1 : 0)),
    unroll: { turn: n + 1, turns: turns.length },
    lineage: { ...(isObject(lineage) ? lineage : {}), unrolled_from },
  }));
  return samples.filter((_sample, n) => trained[turns[n] ?? -1] === 1);
}

export const sha1Hex12 = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 12);

/** NaN and the infinities have no JSON. */
const isWritable = (value: unknown) =>
  value !== undefined && value !== null && !(typeof value === 'number' && !Number.isFinite(value));
