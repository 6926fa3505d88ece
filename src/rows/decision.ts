import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { askLabels } from './ask.ts';
import { scrub } from './scrub.ts';
import { rowKey, taskKey } from './task-key.ts';

const object = z.record(z.string(), z.unknown());

/** What one gate said of a row, and the numbers it said it by. */
export const gateDecisionSchema = z.looseObject({
  gate: z.string(),
  passed: z.boolean(),
  reason: z.string().nullish(),
  numbers: object.optional(),
});
export type GateDecision = Readonly<z.output<typeof gateDecisionSchema>>;

/** Why a row is in a set, or is not: one line of the file of decisions beside the set. It holds no answer key and no text. */
export const decisionSchema = z.looseObject({
  schema_version: z.literal('1'),
  row_id: z.string().describe('`rollout_id`, or what else names the row.'),
  task: z.string().describe('The key of its task.'),
  step: z.string().describe('The command or stage that decided.'),
  decision: z.enum(['kept', 'left']),
  by: z.string().describe('The operator, gate or set that said the last word.'),
  reason: z.string().nullable().describe('One word, of rows that were left out.'),
  gates: z.array(gateDecisionSchema).describe('In the order they were asked; the last one is the one that said no.'),
  file: z.string().nullable().describe('The file that a kept row is in.'),
  line: z.int().nullish().describe('Its first line there, from 1.'),
  source: object.describe('Where the row came from: trace, conversation, file, record, parents.'),
  situation: object.describe('The situation it plays: labels, world state, faults. Never how it should end.'),
  judge: object.nullable().describe('Who graded it: name, version, status, reward; null when nobody did.'),
});
export type Decision = Readonly<z.output<typeof decisionSchema>>;

/** What a decision says besides the row. */
export type Said = Pick<Decision, 'step' | 'decision' | 'by'> &
  Partial<Pick<Decision, 'reason' | 'file' | 'line'>> & { readonly gates?: readonly GateDecision[] };

/**
 * Write down what was decided of a row, with where the row came from, what it plays and who graded it. Texts of the row and
 * its answer key stay out.
 *
 * @source house rule
 */
export function decisionOf(row: JsonObject, { reason = null, gates = [], file = null, line, ...said }: Said): Decision {
  return {
    schema_version: '1',
    row_id: rowKey(row),
    task: taskOf(row),
    ...said,
    reason,
    gates: [...gates],
    file,
    ...(line === undefined ? {} : { line }),
    ...factsOf(row),
  };
}

/** A row without an id is of the task that its prompt names; a hash of it, as the text stays out. */
function taskOf(row: JsonObject): string {
  const key = taskKey(row);
  const isNamed = Boolean(row['scenario_id'] || row['task_id']);
  return isNamed || key === '' ? key : createHash('sha1').update(key).digest('hex').slice(0, 16);
}

const sourceKeys = ['source_file', 'conversation_id', 'trace_id', 'model_version', 'policy_version', 'writer_model'];
const situationKeys = ['scenario_id', 'scenario_dimensions', 'world_state', 'seed', 'tool_condition', ...askLabels];

function factsOf(row: JsonObject): Pick<Decision, 'source' | 'situation' | 'judge'> {
  const clean = scrub(row);
  const { lineage, faults } = clean;
  const modes = isObject(faults)
    ? Object.entries(faults).flatMap(([tool, one]) => (isObject(one) && one['mode'] ? [[tool, one['mode']]] : []))
    : [];
  return {
    source: { ...(isObject(lineage) ? withoutTexts(lineage) : {}), ...picked(clean, sourceKeys) },
    situation: { ...picked(clean, situationKeys), ...(modes.length > 0 ? { faults: Object.fromEntries(modes) } : {}) },
    judge: judgeOf(clean),
  };
}

/** The beginning of a system prompt is a text; its hash and its length name it. */
const withoutTexts = ({ system_prompt_head: _, ...facts }: JsonObject): JsonObject => facts;

function judgeOf(row: JsonObject): JsonObject | null {
  const { judge_name, label_source, judge_meta, judge_status, reward } = row;
  const name = judge_name || label_source;
  if (!name && (reward === undefined || reward === null)) return null;
  const { version, scorer_kind } = isObject(judge_meta) ? judge_meta : ({} as JsonObject);
  return {
    name: name ?? null,
    version: version ?? (isObject(row['lineage']) ? row['lineage']['judge_version'] : undefined) ?? null,
    kind: scorer_kind ?? null,
    status: judge_status ?? 'ok',
    reward: reward ?? null,
  };
}

const picked = (row: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(keys.filter((key) => row[key] !== undefined && row[key] !== null).map((key) => [key, row[key]]));

/** Name the file of the decisions about a set: `train.jsonl` has `train.decisions.jsonl` beside it. */
export const decisionsPath = (setPath: string): string =>
  `${setPath.replace(/\.(jsonl|parquet)(\.gz)?$/, '')}.decisions.jsonl`;
