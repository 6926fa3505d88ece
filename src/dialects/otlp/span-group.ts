import { type JsonObject, textOf, written } from '../fields.ts';
import { type NameTraits, traitsOf } from '../name-traits.ts';
import { BySpan } from './by-span.ts';
import { roleOf, type SpanRole } from './span-role.ts';
import type { SpanView } from './span-view.ts';

/** A span in its place. */
export interface PlacedSpan extends SpanView {
  readonly role: SpanRole;
  readonly parent: PlacedSpan | undefined;
  /** Below a tool span: the tool's own affair, which costs tokens and says nothing in this conversation. */
  readonly folded: boolean;
  readonly traits: NameTraits;
}

/** The spans of one row, in time order. */
export interface SpanGroup {
  /** Conversation id, else trace id; absent for a span that has neither. */
  readonly key: string | undefined;
  readonly spans: readonly PlacedSpan[];
}

export const conversationKeys = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'conversation.id',
  'gen_ai.session.id',
  'thread.id',
  ...['thread_id', 'conversation_id', 'session_id'].map((key) => `langsmith.metadata.${key}`),
  ...['conversation_id', 'session_id', 'thread_id', 'chat_id'].map((key) => `traceloop.association.properties.${key}`),
  'ai.telemetry.metadata.sessionId',
];

/** Order in time; spans without a time, and equal times, in the order of arrival. */
function byStart(a: SpanView, b: SpanView): number {
  const [left, right] = [a.start ?? 0n, b.start ?? 0n];
  return left < right ? -1 : left > right ? 1 : a.order - b.order;
}

/**
 * Group spans into conversations: by the span's own conversation key, else the earliest in its trace, else the trace,
 * else alone. Groups come in the order of their first span.
 *
 * @source house rule; the keys are those of OpenTelemetry GenAI, OpenInference, Langfuse, LangSmith, Traceloop, AI SDK
 */
export function groupSpans(spans: readonly SpanView[], by: 'conversation' | 'trace'): SpanGroup[] {
  const ordered = placed(spans).sort(byStart);
  const ofTrace = new Map<string, string>();
  for (const span of ordered) {
    const key = conversationKey(span);
    if (key !== undefined && span.traceId !== '' && !ofTrace.has(span.traceId)) ofTrace.set(span.traceId, key);
  }
  const all: { readonly key: string | undefined; readonly spans: PlacedSpan[] }[] = [];
  const byKey = new Map<string, PlacedSpan[]>();
  for (const span of ordered) {
    const conversation = by === 'conversation' ? (conversationKey(span) ?? ofTrace.get(span.traceId)) : undefined;
    const key = conversation ?? textOf(span.traceId);
    const group = key === undefined ? undefined : byKey.get(key);
    if (group) {
      group.push(span);
      continue;
    }
    const spans = [span];
    all.push({ key, spans });
    if (key !== undefined) byKey.set(key, spans);
  }
  return all;
}

/** Read the conversation that a span itself says it is of. */
export const conversationKey = ({ attributes }: SpanView): string | undefined => conversationIn(attributes);

/** Read the conversation that attributes name. */
export function conversationIn(attributes: JsonObject): string | undefined {
  for (const key of conversationKeys) {
    const value = attributes[key];
    if (typeof value === 'number' || textOf(value) !== undefined) return written(value);
  }
  return undefined;
}

/** Link each span to its parent. A parent that never came leaves its child a root; a loop of parents is cut. */
function placed(spans: readonly SpanView[]): PlacedSpan[] {
  const known = new BySpan<SpanView>();
  for (const span of spans) if (span.spanId !== '') known.set(span.traceId, span.spanId, span);
  const done = new Map<SpanView, PlacedSpan>();
  return spans.map((span) => {
    const up = new Set<SpanView>(); // the spans from this one up that have no place yet: as many as there are, so no recursion
    let above: SpanView | undefined = span;
    while (above && !done.has(above) && !up.has(above)) {
      up.add(above);
      above = above.parentId === '' ? undefined : known.get(above.traceId, above.parentId);
    }
    let parent = above && done.get(above);
    for (const one of [...up].reverse()) {
      parent = placedBelow(parent, one);
      done.set(one, parent);
    }
    return done.get(span) as PlacedSpan; // the last of them, or it had its place before
  });
}

function placedBelow(parent: PlacedSpan | undefined, span: SpanView): PlacedSpan {
  const { traceId, spanId, parentId, name, start, end, attributes, events, failed, statusMessage, order } = span;
  // written out: a spread of so many fields and more costs ten times as much
  return {
    traceId,
    spanId,
    parentId,
    name,
    start,
    end,
    attributes,
    events,
    failed,
    statusMessage,
    order,
    role: roleOf(span),
    parent,
    folded: parent !== undefined && (parent.folded || parent.role === 'tool'),
    traits: traitsOf(attributes),
  };
}
