import { conversationFrom } from '../conversation.ts';
import { type JsonObject, present } from '../fields.ts';
import type { Item } from '../item.ts';
import { itemsOfMessages } from '../message-items.ts';
import { exchangeIn, type Told } from '../spans/index.ts';
import { instructionsOf } from '../spans/otel.ts';
import { bindTools } from './bind-tools.ts';
import { mergeTurns, type TimedItem, type Turn } from './histories.ts';
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
import { toolRun } from './tool-span.ts';
import { sumUsage } from './usage.ts';

/** A group told as a row, and what telling it showed. */
export interface SpanRow {
  readonly row: JsonObject;
  /** False when no span said anything: the instrumentation did not capture content. */
  readonly hasContent: boolean;
  /** Dialect of each model span that was read. */
  readonly dialects: readonly string[];
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
  const system = speaking.flatMap(({ told }) => told.system)[0] ?? instructionsIn(main);
  const talk = conversationFrom(system ? [system, ...items] : items, { detailed, lastSpoken: false });
  const error = errorOf(main);
  const last = speaking.at(-1);
  const finish = last && (finishReason(last.told.finish) ?? finishReason(finishOf(last.span.attributes)));
  const { usage, ignored, missing } = sumUsage(spans);
  const start = spans.find((span) => span.start !== undefined)?.start;
  const { system_prompt, ...told } = talk;
  const row = present({
    schema_version: '1',
    ...told,
    conversation_id: key,
    ts: start === undefined ? undefined : Number(start), // steps of 256 ns: a double holds no finer time
    trace_ids: tracesOf(spans),
    usage,
    model_version: modelOf(spans),
    agent: agentOf(spans),
    scenario_id: scenarioOf(spans),
    ...ownRollout(spans),
    reward: rewardOf(spans),
    ...verdictIn(spans),
    markers: markersIn(spans),
    system_prompt,
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
    usageIgnored: ignored,
    usageMissing: missing,
  };
}

function instructionsIn(main: readonly PlacedSpan[]): Item | undefined {
  return itemsOfMessages(main.flatMap(({ attributes }) => instructionsOf(attributes)))[0];
}

/** The top-most model spans that say something; when none does, the top-most agents and chains that do. */
function speakingIn(main: readonly PlacedSpan[]): readonly Speaking[] {
  const models = topMost(saying(main.filter(({ role }) => role === 'llm')));
  if (models.length > 0) return models;
  return topMost(saying(main.filter(({ role }) => role === 'agent' || role === 'chain' || role === 'other')));
}

/** A span below another that speaks tells the same again: two instrumentations recorded one call. */
function topMost(speaking: readonly Speaking[]): readonly Speaking[] {
  const those = new Set(speaking.map(({ span }) => span));
  return speaking.filter(({ span }) => {
    for (let above = span.parent; above; above = above.parent) if (those.has(above)) return false;
    return true;
  });
}

const saying = (spans: readonly PlacedSpan[]): Speaking[] =>
  spans.flatMap((span) => {
    const told = exchangeIn(span);
    return told ? [{ span, told }] : [];
  });

function turnOf({ span, told }: Speaking): Turn {
  const at = (time: bigint | undefined) => (item: TimedItem['item']) => ({ item, time });
  const end = span.end ?? span.start;
  return { trace: span.traceId, input: told.input.map(at(span.start)), output: told.output.map(at(end)) };
}

function tracesOf(spans: readonly PlacedSpan[]): readonly string[] | undefined {
  const traces = [...new Set(spans.map(({ traceId }) => traceId).filter((id) => id !== ''))];
  return traces.length > 0 ? traces : undefined;
}
