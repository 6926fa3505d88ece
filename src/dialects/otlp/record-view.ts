import type { DecodedLog } from './decoded-log.ts';
import type { DecodedSpan } from './decoded-span.ts';
import { nanoseconds } from './nanoseconds.ts';
import type { SpanEvent, SpanView } from './span-view.ts';

/** See a decoded span as the readers of dialects do; `order` is its place of arrival. Nothing is copied. */
export function viewOfSpan(span: DecodedSpan, order: number): SpanView {
  return {
    traceId: span.trace_id,
    spanId: span.span_id,
    parentId: span.parent_span_id ?? '',
    name: span.name,
    start: nanoseconds(span.start_time_unix_nano),
    end: nanoseconds(span.end_time_unix_nano),
    attributes: span.attributes,
    events: span.events.map(({ name, time_unix_nano, attributes }) => ({
      name,
      time: nanoseconds(time_unix_nano),
      attributes,
      body: undefined,
    })),
    failed: span.status.code === 2,
    statusMessage: span.status.message,
    order,
  };
}

/** See a decoded log record as an event of the span it names. */
export function eventOfLog({ event_name, time_unix_nano, attributes, body }: DecodedLog): SpanEvent {
  return { name: event_name, time: nanoseconds(time_unix_nano), attributes, body: body ?? undefined };
}
