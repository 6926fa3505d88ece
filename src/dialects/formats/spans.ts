import { isObject, type JsonObject, listOf, present } from '../fields.ts';
import { type FileFormat, type Finding, rejected } from '../format.ts';
import { decodeTraceBody } from '../otlp/decode-protobuf.ts';
import { groupSpans } from '../otlp/span-group.ts';
import { spanRow } from '../otlp/span-row.ts';
import { spansOf } from '../otlp/span-view.ts';

const isBody = (value: unknown) =>
  isObject(value) &&
  ['resourceSpans', 'resource_spans', 'resourceLogs', 'resource_logs'].some((name) => Array.isArray(value[name]));
const isSpan = (value: unknown) =>
  isObject(value) &&
  'attributes' in value &&
  'name' in value &&
  ['spanContext', '_spanContext', 'context', 'traceId', 'trace_id', 'startTime', 'events'].some(
    (name) => name in value,
  );

/** OTLP/JSON bodies of traces and logs, one or many. */
export const otlpJson: FileFormat = {
  name: 'otlp',
  unit: 'file',
  detect: ({ values }) => values.some(isBody),
  read: (values) => rowsOf(values),
};

const attributeNames = /^(gen_ai|llm|openinference|langfuse|langsmith|traceloop|ai)\.[a-z_.]+/;
/** The attributes of one span, without the span. */
const isAttributes = (value: unknown): value is JsonObject =>
  isObject(value) && !('attributes' in value) && Object.keys(value).some((name) => attributeNames.test(name));

/** Spans as an SDK holds them: ReadableSpan dumps of JavaScript and Python, flat spans, and bare attributes. */
export const spanDump: FileFormat = {
  name: 'spans',
  unit: 'file',
  detect: ({ values, first }) =>
    values.some((value) => isSpan(value) || isAttributes(value)) ||
    (isObject(first) && Array.isArray(first['spans']) && first['spans'].some(isSpan)),
  read: (values) =>
    rowsOf(listOf(values).map((value) => (isAttributes(value) ? { name: '', attributes: value } : value))),
};

/** The protobuf body of an OTLP trace export. */
export const otlpProtobuf: FileFormat = {
  name: 'otlp-protobuf',
  unit: 'file',
  detect: ({ container, first }) => container === 'bytes' && isTraceBody(first),
  read: (values) =>
    listOf(values).flatMap((bytes) => {
      const body = bodyOf(bytes);
      return body ? rowsOf([body]) : rejected('invalid_record', 'not an OTLP trace body');
    }),
};

const isTraceBody = (bytes: unknown) => spansOf(bodyOf(bytes)).length > 0;

function bodyOf(bytes: unknown): JsonObject | undefined {
  try {
    return bytes instanceof Uint8Array ? decodeTraceBody(bytes) : undefined;
  } catch {
    return undefined; // other bytes
  }
}

/**
 * One row for each conversation that has a model, tool or agent span. A conversation whose content was not captured is
 * a row too, and says so: its spans, tools, usage and errors count, and no text is made up.
 */
export function rowsOf(source: unknown): Finding[] {
  return groupSpans(spansOf(source), 'conversation')
    .filter(({ spans }) => spans.some(({ role }) => role === 'llm' || role === 'tool' || role === 'agent'))
    .map((group) => {
      const { row, hasContent, leftOut } = spanRow(group, true);
      const marks = { parts_left_out: leftOut, content_captured: hasContent ? undefined : false };
      return { kind: 'row', row: present({ ...row, ...marks }) };
    });
}
