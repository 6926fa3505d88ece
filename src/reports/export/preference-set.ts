import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { asWarnings, type Remark } from '../../core/remarks.ts';
import { finiteNumber } from '../../rows/numeric.ts';
import { plainText } from '../../rows/plain-text.ts';
import { schemaVersion } from '../../rows/row-shape.ts';
import { scrub } from '../../rows/scrub.ts';
import { agentOfRow, agentOptions, agentTally, type RowAgent } from './agent-of-row.ts';
import { argumentShapes } from './argument-shapes.ts';
import { columns } from './columns.ts';
import { allTurns, isSameTalk, oneTurn } from './pair-turns.ts';
import { formats, roundtripTally } from './tool-call-roundtrip.ts';
import { trainingOptions } from './training-options.ts';
import { conversation } from './training-samples.ts';
import { wireMessages } from './wire-messages.ts';

/** How a preference file is made. */
export const preferenceSetOptions = agentOptions.extend({
  stripThink: trainingOptions.shape.stripThink,
  format: z
    .enum([...formats, 'reward'])
    .default('openai')
    .describe(
      'openai: two whole conversations. trl: a shared prompt and two completions. reward: a prompt and two whole answers with their margin, for a reward model.',
    ),
  preferenceShape: z
    .enum(['turn', 'full'])
    .default('turn')
    .describe("trl: the one turn where the sides part, or all turns after the agent's first, tool output among them."),
  dropTies: z.boolean().default(true).describe('Leave pairs out that their judge called a tie.'),
  validate: z.boolean().default(true).describe('Refuse a file with unreadable calls, and one without pairs.'),
});

/** What of a pair travels with it. */
const carriedKeys = [
  'tie',
  'pairwise',
  'first_turn_differs',
  'chosen_score',
  'rejected_score',
  'margin',
  'chosen_model',
  'rejected_model',
  'same_policy',
  'length_delta',
  'chosen_reason',
  'rejected_reason',
  'rejected_failure_class',
  'lineage',
] as const;

/** What became of one pair. */
export type PreferenceEntry =
  | { readonly row: JsonObject; readonly isCut: boolean; readonly said: RowAgent['said'] }
  | { readonly left: 'tie' | 'equal_sides' | 'no_completion'; readonly judge?: string };

/**
 * Build a preference set pair by pair. `entry` makes the row of a pair, or says why there is none; `add` counts it; `end`
 * gives the report and writes the line of a row. Two sides that do and say the same are never a pair.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @throws TM_EXPORT_PREFERENCE - from `entry`: a side is missing
 * @source rlhfbook ch. 8 (direct alignment); `reward`: ch. 5, Llama 2 (arXiv:2307.09288) for the margin
 */
export function preferenceSet(given: z.input<typeof preferenceSetOptions>) {
  const options = parseOptions('preferenceSet', preferenceSetOptions, given);
  const calls = roundtripTally(options.format === 'openai' ? 'openai' : 'trl');
  const isOneTurn = options.format === 'trl' && options.preferenceShape === 'turn';
  const shapes = argumentShapes();
  const table = columns();
  const count = { n: 0, tie: 0, equal_sides: 0, no_completion: 0, cut: 0, measured: 0, longer: 0, same: 0, margins: 0 };
  const agents = agentTally();
  const judges = new Set<string>();
  let margin = 0;

  const sideOf = (side: JsonObject) => {
    const clean = scrub(side);
    const talk = conversation(clean);
    const { systemPrompt, isGiven, tools, said } = agentOfRow(clean, talk, options);
    const how = { systemPrompt, isGiven, stripThink: options.stripThink, maxToolOutputChars: undefined };
    return { messages: wireMessages(talk, how).messages, tools, said };
  };

  const entry = (pair: unknown): PreferenceEntry => {
    if (!isObject(pair) || !isObject(pair['chosen']) || !isObject(pair['rejected']))
      throw new TracemillError('TM_EXPORT_PREFERENCE', 'a pair needs a row under chosen and one under rejected');
    if (options.dropTies && pair['tie']) return { left: 'tie' };
    const [better, worse] = [sideOf(pair['chosen']), sideOf(pair['rejected'])];
    const [chosen, rejected] = [better.messages, worse.messages];
    const judge = plainText(pair['chosen']['judge_name']);
    if (options.format === 'openai' && isSameTalk(chosen, rejected)) return { left: 'equal_sides', judge };
    const tools = options.tools ?? pair['tools'] ?? better.tools;
    const row = {
      prompt: plainText(pair['prompt'] ?? pair['chosen']['prompt']),
      chosen,
      rejected,
      ...(Array.isArray(tools) && tools.length > 0 ? { tools } : {}),
      ...Object.fromEntries(carriedKeys.filter((key) => isThere(pair[key])).map((key) => [key, scrub(pair)[key]])),
      schema_version: schemaVersion,
    };
    const { said } = better;
    if (options.format === 'openai') return { row, isCut: false, said };
    const shaped = isOneTurn ? oneTurn(row) : allTurns(row);
    if (!shaped) return { left: 'no_completion' };
    if (options.format === 'reward' && isSameTalk(chosen, rejected)) return { left: 'equal_sides', judge };
    return options.format === 'trl'
      ? { ...shaped, said }
      : { ...shaped, said, row: { ...shaped.row, margin: marginOf(pair) } };
  };

  const add = (one: PreferenceEntry): void => {
    if ('left' in one) {
      count[one.left]++;
      if (one.judge) judges.add(one.judge);
      return;
    }
    const { row, isCut } = one;
    agents.add(one.said);
    const delta = finiteNumber(row['length_delta']);
    const gap = finiteNumber(row['margin']);
    count.n++;
    if (isCut) count.cut++;
    if (delta !== undefined) count.measured++;
    if (delta !== undefined && delta > 0) count.longer++;
    if (row['first_turn_differs'] === false) count.same++;
    if (gap !== undefined) count.margins++;
    margin += gap ?? 0;
    calls.add(row);
    shapes.add(row);
    table.add(row);
  };

  const end = () => {
    const roundtrip = calls.end();
    const isMixed = options.format !== 'openai' && shapes.isMixed();
    return {
      refusal: options.validate ? refusalOf(count.n, roundtrip.invalid) : undefined,
      linesOf: (one: PreferenceEntry) => ('row' in one ? [table.line(one.row)] : []),
      leftBecause: (one: PreferenceEntry) => ('left' in one ? one.left : undefined),
      report: {
        pairs: count.n,
        format: options.format,
        tool_call_roundtrip: roundtrip,
        ...agents.end(),
        ...(count.tie > 0 ? { ties_dropped: count.tie } : {}),
        ...(count.equal_sides > 0
          ? { equal_sides_dropped: count.equal_sides, equal_sides_judges: [...judges].sort() }
          : {}),
        ...(count.no_completion > 0 ? { no_completion_dropped: count.no_completion } : {}),
        ...(count.cut > 0 ? { trl_turns_cut: count.cut } : {}),
        ...(count.measured > 0 ? { chosen_longer_frac: rounded(count.longer / count.measured, 3) } : {}),
        ...(count.same > 0 ? { first_turn_identical: count.same } : {}),
        ...(count.margins > 0 ? { mean_margin: rounded(margin / count.margins, 4) } : {}),
        ...asWarnings(warningsOf(count, isMixed)),
      },
    };
  };
  return { options, entry, add, end };
}

export type PreferenceReport = ReturnType<ReturnType<typeof preferenceSet>['end']>['report'];

function refusalOf(pairs: number, invalid: number): TracemillError | undefined {
  if (invalid > 0)
    return new TracemillError(
      'TM_TOOL_CALL_ROUNDTRIP',
      `preference pairs: ${invalid} tool calls have arguments that are no object. Fix the rows, or set validate: false`,
    );
  if (pairs > 0) return undefined;
  return new TracemillError(
    'TM_NO_PREFERENCE_PAIRS',
    'no pair is left: rows that all pass or all fail have no contrast. Sample harder tasks, or set validate: false for the report alone',
  );
}

interface Counted {
  readonly n: number;
  readonly measured: number;
  readonly longer: number;
  readonly same: number;
}

function warningsOf({ n, measured, longer, same }: Counted, isMixed: boolean): readonly Remark[] {
  const isConfounded = (measured >= 8 && longer >= 0.75 * measured) || (measured >= 3 && longer === measured); // rlhfbook ch. 8
  const all: readonly (Remark | false)[] = [
    isConfounded && {
      code: 'length_confound',
      text: `the chosen reply is the longer one in ${longer} of ${measured} pairs: a trainer learns length first`,
    },
    same > 0 && { code: 'first_turn_identical', text: `${same} of ${n} pairs begin with the same turn on both sides` },
    isMixed && {
      code: 'mixed_argument_shapes',
      text: 'calls have arguments of several shapes: datasets before 5 fills them up with nulls',
    },
  ];
  return all.filter((one) => one !== false);
}

/** What a reward model must tell the sides apart by: the margin, else the difference of the scores, else none. */
function marginOf({ margin, chosen_score, rejected_score }: JsonObject): number {
  const [better, worse] = [finiteNumber(chosen_score), finiteNumber(rejected_score)];
  return finiteNumber(margin) ?? (better !== undefined && worse !== undefined ? better - worse : 0);
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
const isThere = (value: unknown) => value !== undefined && value !== null;
