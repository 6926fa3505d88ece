import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { asNotes, asWarnings } from '../../core/remarks.ts';
import { taskKey } from '../../rows/task-key.ts';
import { privilegedLeak as leakOf, leakTally, type privilegedLeak } from '../guard/leak-report.ts';
import { agentTally, type RowAgent, type SaidBy } from './agent-of-row.ts';
import { argumentShapes } from './argument-shapes.ts';
import { columns } from './columns.ts';
import { groupStamps } from './group-stamps.ts';
import { trlRow } from './to-trl.ts';
import { formats, roundtripTally, toolCallRoundtrip } from './tool-call-roundtrip.ts';
import { trainingOptions } from './training-options.ts';
import { maskWords, notesOf, refusalOf, warningsOf } from './training-remarks.ts';
import { rewardOf } from './training-rows.ts';
import { trainingSamples } from './training-samples.ts';

/** How a training file is made. */
export const trainingSetOptions = trainingOptions.extend({
  format: z
    .enum([...formats, 'opd'])
    .default('openai')
    .describe(
      'openai: messages and a loss mask. trl: conversational, arguments as objects. opd: the same without verdicts, for a teacher to score.',
    ),
  toolsEncoding: z
    .enum(['list', 'json'])
    .default('list')
    .describe('Tool schemas as a list, or as JSON text that every loader reads unchanged (TRL from 1.0 on).'),
  validate: z
    .boolean()
    .default(true)
    .describe('Refuse a file with unreadable calls or replies that quote their answer key.'),
  keepCut: z.boolean().default(false).describe('Also export rows whose source was cut before the end.'),
});

/** What one row gives to a file, all of it free of answer keys: it may lie on disk. */
export interface TrainingEntry {
  readonly task: string;
  readonly samples: readonly JsonObject[];
  /** Samples that have no turn to train in this format. */
  readonly dropped: number;
  /** Samples with a turn of the agent that is not to be trained, which this format cannot say. */
  readonly unmasked: number;
  /** Parts of its messages, such as pictures, are not in it. */
  readonly isPartly: boolean;
  readonly isCut: boolean;
  readonly isCapped: boolean;
  readonly leak: ReturnType<typeof privilegedLeak>;
  /** Who says what its agent was told and could call. */
  readonly said: RowAgent['said'];
  readonly scenario_id?: unknown;
  readonly rollout_index?: unknown;
}

/**
 * Build a training set row by row. `entry` makes of a row what is kept of it; `add` counts an entry; `end` gives the report
 * and writes the lines of an entry, which needs the whole set: its group, and the columns of the file. `refusedBecause` asks
 * of one entry what `end` asks of all. Memory: one small record a task and a column.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 4; `opd`: on-policy distillation, Agarwal et al. 2024 (arXiv:2306.13649)
 */
export function trainingSet(given: z.input<typeof trainingSetOptions>) {
  const options = parseOptions('trainingSet', trainingSetOptions, given);
  const kind = options.unroll || options.maskMode === 'final' ? 'completion' : 'training';
  const hasMask = options.format === 'openai' || kind === 'completion'; // a completion is the one turn that is trained
  const stamps = groupStamps();
  const leaks = leakTally();
  const wire = options.format === 'openai' ? 'openai' : 'trl';
  const calls = roundtripTally(wire);
  const shapes = argumentShapes();
  const table = columns();
  const count = { n: 0, system: 0, tools: 0, outputs: 0, chars: 0, trained: 0, masked: 0, pass: 0, fail: 0 };
  const agents = agentTally();
  const source = { rows: 0, capped: 0, cut: 0, dropped: 0, unmasked: 0, partly: 0 };

  const shapeOf = (sample: JsonObject): JsonObject | undefined => {
    if (options.format === 'openai') return sample;
    return options.format === 'trl' ? trlRow(sample, kind) : unjudged(trlRow(sample, kind));
  };
  const unmaskedIn = (samples: readonly JsonObject[]) => (hasMask ? 0 : samples.filter(leavesTurnOut).length);
  const entry = (row: JsonObject): TrainingEntry => {
    const isCut = row['is_cut'] === true && !options.keepCut;
    const { samples, said } = isCut ? nothing : trainingSamples(row, options);
    const shaped = samples.flatMap((sample) => shapeOf(sample) ?? none);
    const due = isCut ? 0 : Math.max(samples.length, 1);
    return {
      task: options.unroll || options.format === 'opd' ? '' : taskKey(row),
      samples: options.toolsEncoding === 'json' ? shaped.map(withToolText) : shaped,
      dropped: due - shaped.length,
      unmasked: unmaskedIn(samples),
      isPartly: !isCut && isObject(row['parts_left_out']),
      isCut,
      isCapped: row['finish_reason'] === 'length',
      leak: isCut ? null : leakOf(row),
      said,
      scenario_id: row['scenario_id'] ?? null,
      rollout_index: row['rollout_index'] ?? null,
    };
  };

  const add = (one: TrainingEntry): void => {
    source.rows++;
    source.dropped += one.dropped;
    source.unmasked += one.unmasked;
    if (one.isPartly) source.partly++;
    if (one.isCut) source.cut++;
    if (one.isCapped) source.capped++;
    agents.add(one.said, one.samples.length);
    leaks.add({ scenario_id: one.scenario_id, rollout_index: one.rollout_index }, one.leak);
    for (const sample of one.samples) {
      stamps.add(one.task, rewardOf(sample));
      calls.add(sample);
      shapes.add(sample);
      table.add(sample);
      countSample(sample, count);
    }
  };

  const end = () => {
    const leaked = leaks.end();
    const { checked, n_checked, n_leaked, leaked: first, summary } = leaked;
    const roundtrip = calls.end();
    if (stamps.size() > 0) table.add({ group_id: '-', k: 1, n0: 0, n1: 0, reward_mean: 0.5, reward_std: 0.5 });
    const warnings = warningsOf(options, {
      n_leaked,
      capped: source.capped,
      fail: count.fail,
      isMixed: shapes.isMixed(),
      unmasked: source.unmasked,
      partly: source.partly,
    });
    const hasCalls = roundtrip.checked > 0;
    return {
      refusal: options.validate ? refusalOf(roundtrip.invalid, n_leaked) : undefined,
      linesOf: ({ task, samples }: TrainingEntry) =>
        samples.map((sample) => table.line({ ...sample, ...stamps.of(task) })),
      leftBecause: ({ isCut, samples }: TrainingEntry) =>
        isCut ? 'cut' : samples.length === 0 ? 'no_completion' : undefined,
      report: {
        n: count.n,
        format: options.format,
        with_system: count.system,
        with_tools: count.tools,
        ...agents.end(),
        groups: stamps.size(),
        tool_call_roundtrip: roundtrip,
        mask_mode: maskWords(options.format, options.unroll, options.maskMode, kind),
        unrolled: options.unroll,
        max_tool_output_chars: options.maxToolOutputChars ?? null,
        tool_output_truncated: count.outputs,
        tool_output_chars_cut: count.chars,
        trained_messages: count.trained,
        masked_messages: count.masked,
        privileged_leaks: { checked, n_checked, n_leaked, leaked: first, summary },
        rewards: { n_pass: count.pass, n_fail: count.fail, n_ungraded: count.n - count.pass - count.fail },
        no_completion_dropped: source.dropped,
        cut_rows_dropped: source.cut,
        json_text_columns: table.asText(),
        columns: table.names(),
        ...asWarnings(warnings),
        ...asNotes(notesOf(count, hasCalls)),
      },
    };
  };
  /** The word of the rule that no file may hold this entry by; undefined when it may be in one. */
  const refusedBecause = (one: TrainingEntry): string | undefined => {
    if (!options.validate) return undefined;
    const invalid = toolCallRoundtrip(one.samples, { format: wire }).invalid;
    return refusalOf(invalid, one.leak !== null && 'field' in one.leak ? 1 : 0)?.reason;
  };
  return { options, entry, add, end, refusedBecause };
}

export type TrainingReport = ReturnType<ReturnType<typeof trainingSet>['end']>['report'];

function countSample(sample: JsonObject, count: Record<Counted, number>): void {
  const reward = rewardOf(sample);
  const { trained, masked, first } = turnsOf(sample);
  count.n++;
  if (first?.['role'] === 'system') count.system++;
  if (sample['tools'] !== undefined) count.tools++;
  if (reward !== undefined) count[reward < 0.5 ? 'fail' : 'pass']++;
  count.outputs += Number(sample['tool_output_truncated'] ?? 0);
  count.chars += Number(sample['tool_output_chars_cut'] ?? 0);
  count.trained += trained;
  count.masked += masked;
}

type Counted = 'n' | 'system' | 'tools' | 'outputs' | 'chars' | 'trained' | 'masked' | 'pass' | 'fail';

/** How many messages the trainer learns from: by the mask, by the split, or all of them. */
function turnsOf({ messages, prompt, completion, loss_mask: mask }: JsonObject) {
  const turns: readonly unknown[] = [messages, prompt].find((list) => Array.isArray(list)) ?? [];
  const first = isObject(turns[0]) ? turns[0] : undefined;
  if (Array.isArray(completion)) return { first, trained: completion.length, masked: turns.length };
  const trained = Array.isArray(mask) ? mask.filter((one) => one === 1).length : turns.length;
  return { first, trained, masked: turns.length - trained };
}

const leavesTurnOut = ({ messages, loss_mask: mask }: JsonObject) =>
  Array.isArray(messages) &&
  Array.isArray(mask) &&
  messages.some((turn, n) => isObject(turn) && turn['role'] === 'assistant' && mask[n] === 0);

const none: readonly JsonObject[] = [];
const nothing = { samples: none, said: { system_prompt: 'none' as SaidBy, tools: 'none' as SaidBy } };
const verdicts: ReadonlySet<string> = new Set([
  'reward',
  'qwen_reward',
  'reason',
  'label_source',
  'failure_class',
  'judge_status',
  'judge_name',
]);

/** What the student said, whatever was thought of it; undefined when it said nothing. */
function unjudged(sample: JsonObject | undefined): JsonObject | undefined {
  const turns = sample?.['messages'] ?? sample?.['completion'];
  const hasTurn = Array.isArray(turns) && turns.some((turn) => isObject(turn) && turn['role'] === 'assistant');
  if (!sample || !hasTurn) return undefined;
  return Object.fromEntries(Object.entries(sample).filter(([key]) => !verdicts.has(key)));
}

const withToolText = (sample: JsonObject): JsonObject =>
  Array.isArray(sample['tools']) ? { ...sample, tools: JSON.stringify(sample['tools']) } : sample;
