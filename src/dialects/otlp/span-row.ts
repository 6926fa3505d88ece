import { conversationFrom } from '../conversation.ts';
import { type JsonObject, present } from '../fields.ts';
import type { Item } from '../item.ts';
import { itemsOfMessages } from '../message-items.ts';
import { exchangeIn, type Told } from '../spans/index.ts';
import { instructionsOf } from '../spans/otel.ts';
import { bindTools } from './bind-tools.ts';
import { mergeTurns, type Turn } from './histories.ts';
import {
  agentOf,
  errorOf,
  finishOf,
  finishReason,
  markersIn,
  modelOf,
  ownRollout,
  rewardOf,
  scenarioOf,
  toolsIn,
  verdictIn,
} from './span-facts.ts';
import type { PlacedSpan, SpanGroup } from './span-group.ts';
import { isEvaluation } from './span-view.ts';
import { toolRun } from './tool-span.ts';
import { sumUsage } from './usage.ts';

/** A group told as a row, and what telling it showed. */
export interface SpanRow {
  readonly row: JsonObject;
  /** False when no span said anything: the instrumentation did not capture content. */
  readonly hasContent: boolean;
  /** Dialect of each model span that was read. */
  readonly dialects: readonly string[];
  /** How many parts of messages the row does not hold, by their type. */
  readonly leftOut: JsonObject | undefined;
  readonly usageIgnored: number;
  /** Tokens that were used by spans that are not here. */
  readonly usageMissing: number;
}

interface Speaking {
  readonly span: PlacedSpan;
  readonly told: Told;
}

/** Tell the spans of one conversation as a row. `detailed` keeps call ids and marks, as imports of files want. */
export function spanRow(group: SpanGroup, detailed: boolean): SpanRow {
  const { spans, key } = group;
  const main = spans.filter(({ folded }) => !folded);
  const speaking = speakingIn(main);
  const runs = main.filter(({ role }) => role === 'tool').map(toolRun);
  const items = bindTools(mergeTurns(speaking.map(turnOf)), runs);
  const system = speaking.find(({ told }) => told.system.length > 0)?.told.system[0] ?? instructionsIn(main);
  const talk = conversationFrom(system ? [system, ...items] : items, { detailed, lastSpoken: false });
  const error = errorOf(main);
  const last = speaking.at(-1);
  const finish = last && (finishReason(last.told.finish) ?? finishReason(finishOf(last.span.attributes)));
  const { usage, ignored, missing } = sumUsage(spans);
  const start = startOf(spans);
  const own = ownRollout(spans);
  const verdict = verdictIn(spans);
  const row = present({
    schema_version: '1',
    prompt: talk.prompt,
    opener: talk.opener,
    opening: talk.opening,
    steps: talk.steps,
    final_text: talk.final_text,
    conversation_id: key,
    ts: start === undefined ? undefined : Number(start), // steps of 256 ns: a double holds no finer time
    trace_ids: tracesOf(spans),
    usage,
    model_version: modelOf(spans),
    agent: agentOf(spans),
    scenario_id: scenarioOf(spans),
    rollout_id: own['rollout_id'],
    rollout_index: own['rollout_index'],
    policy_version: own['policy_version'],
    reward: rewardOf(spans),
    judge_status: verdict['judge_status'],
    judge_name: verdict['judge_name'],
    reason: verdict['reason'],
    markers: markersIn(spans),
    system_prompt: talk.system_prompt,
    tools: toolsIn(spans),
    error,
    finish_reason: error ? 'error' : finish,
    is_cut: speaking.some(({ told: { isCut } }) => isCut) ? true : undefined,
  });
  const hasContent = talk.prompt !== '' || talk.steps.length > 0 || talk.final_text !== '';
  return {
    row,
    hasContent,
    dialects: speaking.map((one) => one.told.dialect),
    leftOut: talk.parts_left_out,
    usageIgnored: ignored,
    usageMissing: missing,
  };
}

/** The first start of what was done; when only verdicts are here, of those: one may bear any time. */
function startOf(spans: readonly PlacedSpan[]): bigint | undefined {
  const first = spans.find((span) => span.start !== undefined && !isVerdictAlone(span));
  return (first ?? spans.find(({ start }) => start !== undefined))?.start;
}
const isVerdictAlone = ({ name, events }: PlacedSpan): boolean =>
  name === '' && events.length > 0 && events.every(isEvaluation);

function instructionsIn(main: readonly PlacedSpan[]): Item | undefined {
  for (const { attributes } of main) {
    const [first] = itemsOfMessages(instructionsOf(attributes));
    if (first) return first;
  }
  return undefined;
}

/** The top-most model spans that say something; when none does, the top-most agents and chains that do. */
function speakingIn(main: readonly PlacedSpan[]): readonly Speaking[] {
  const models = topMost(saying(main.filter(({ role }) => role === 'llm')));
  if (models.length > 0) return inTurn(models);
  return inTurn(topMost(saying(main.filter(({ role }) => role === 'agent' || role === 'chain' || role === 'other'))));
}

/**
 * Of turns that began at one time, the one that was given less of the conversation is earlier: fewer answers of tools, then
 * fewer items. SDKs of JavaScript know the start of a span to the millisecond, and a short turn is over within one.
 */
function inTurn(speaking: readonly Speaking[]): readonly Speaking[] {
  const hasTies = speaking.some(
    ({ span: { start } }, n) => start !== undefined && start === speaking[n - 1]?.span.start,
  );
  if (!hasTies) return speaking;
  const answers = new Map(
    speaking.map(({ told }) => [told, told.input.filter(({ kind }) => kind === 'result').length]),
  );
  return speaking.toSorted(({ span: a, told: ours }, { span: b, told: theirs }) => {
    if (a.start === undefined || b.start === undefined || a.start !== b.start) return compareStarts(a, b);
    return (answers.get(ours) ?? 0) - (answers.get(theirs) ?? 0) || ours.input.length - theirs.input.length;
  });
}

/** Spans come in time order: those without a time stay in their place. */
function compareStarts({ start: a = 0n }: PlacedSpan, { start: b = 0n }: PlacedSpan): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A span below another that speaks tells the same again: two instrumentations recorded one call. */
function topMost(speaking: readonly Speaking[]): readonly Speaking[] {
  const those = new Set(speaking.map(({ span }) => span));
  return speaking.filter(({ span }) => {
    for (let above = span.parent; above; above = above.parent) if (those.has(above)) return false;
    return true;
  });
}

function saying(spans: readonly PlacedSpan[]): readonly Speaking[] {
  const said: Speaking[] = [];
  for (const span of spans) {
    const told = exchangeIn(span);
    if (told) said.push({ span, told });
  }
  return said;
}

const turnOf = ({ span, told: { input, output } }: Speaking): Turn => ({
  trace: span.traceId,
  input,
  start: span.start,
  output,
  end: span.end ?? span.start,
});

function tracesOf(spans: readonly PlacedSpan[]): readonly string[] | undefined {
  const traces = new Set<string>();
  for (const { traceId } of spans) if (traceId !== '') traces.add(traceId);
  return traces.size > 0 ? [...traces] : undefined;
}
