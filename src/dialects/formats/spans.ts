import { isObject } from '../fields.ts';
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
  ['spanContext', '_spanContext', 'context', 'traceId', 'trace_id'].some((name) => name in value);

/** OTLP/JSON bodies of traces and logs, one or many. */
export const otlpJson: FileFormat = {
  name: 'otlp',
  unit: 'file',
  detect: ({ values }) => values.some(isBody),
  read: (values) => rowsOf(values),
};

/** Spans as an SDK holds them: ReadableSpan dumps of JavaScript and Python, and flat spans. */
export const spanDump: FileFormat = {
  name: 'spans',
  unit: 'file',
  detect: ({ values, first }) =>
    values.some(isSpan) || (isObject(first) && Array.isArray(first['spans']) && first['spans'].some(isSpan)),
  read: (values) => rowsOf(values),
};

/** The protobuf body of an OTLP trace export. */
export const otlpProtobuf: FileFormat = {
  name: 'otlp-protobuf',
  unit: 'file',
  detect: ({ container, first }) => container === 'bytes' && isTraceBody(first),
  read: (values) =>
    (values as readonly unknown[]).flatMap((bytes) =>
      bytes instanceof Uint8Array ? rowsOf([decodeTraceBody(bytes)]) : rejected('invalid_record', bytes),
    ),
};

function isTraceBody(value: unknown): boolean {
  if (!(value instanceof Uint8Array)) return false;
  try {
    return spansOf(decodeTraceBody(value)).length > 0;
  } catch {
    return false; // other bytes
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
      const { row, hasContent } = spanRow(group, true);
      return { kind: 'row', row: hasContent ? row : { ...row, content_captured: false } };
    });
}
