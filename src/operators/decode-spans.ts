import { z } from 'zod';
import { defineExpand } from '../core/define-expand.ts';
import type { SpanBatch } from '../dialects/otlp/span-batch.ts';
import type { SpanRecord } from '../dialects/otlp/span-record.ts';
import { redactor } from '../text/redact.ts';
import { redactOptions } from './redact.ts';

const options = redactOptions.extend({
  personal: z
    .boolean()
    .default(true)
    .describe(
      'Redact personal data too: e-mail addresses, phones, accounts, addresses, hosts and users. Secrets always are.',
    ),
});

/** The rule alone. */
export function decodeSpansCore(config: z.output<typeof options>) {
  const redact = redactor(config);
  return ({ records, refused }: SpanBatch, reject: (part: unknown, reason: string) => void): readonly SpanRecord[] => {
    for (const { record, reason } of refused) reject(redact(record).value, reason);
    return [...byTrace(records)].flatMap((spans) => redactedSpans(spans, redact));
  };
}

function byTrace(records: readonly SpanRecord[]): Iterable<readonly SpanRecord[]> {
  const traces = new Map<unknown, SpanRecord[]>();
  for (const record of records) {
    const trace = record['trace_id'] === '' ? record : record['trace_id'];
    const spans = traces.get(trace);
    if (spans) spans.push(record);
    else traces.set(trace, [record]);
  }
  return traces.values();
}

const structure = [
  'trace_id',
  'span_id',
  'parent_span_id',
  'start_time_unix_nano',
  'end_time_unix_nano',
  'time_unix_nano',
];

/**
 * Redact what the spans of a trace say, all together, so that what one of them shows to be a secret is found in the others.
 * Ids and times are left as they are. What they share is redacted once.
 */
function redactedSpans(spans: readonly SpanRecord[], redact: ReturnType<typeof redactor>): readonly SpanRecord[] {
  const shared = [...new Set(spans.flatMap(({ resource, scope }) => [resource, scope]))];
  const said = spans.map(({ resource: _resource, scope: _scope, ...span }) =>
    Object.fromEntries(Object.entries(span).filter(([name]) => !structure.includes(name))),
  );
  const { value, counts } = redact({ shared, said });
  if (Object.keys(counts).length === 0) return spans;
  const places = new Map(shared.map((one, n) => [one, value.shared[n]]));
  return spans.map((span, n) => {
    const { resource, scope } = span;
    const clean = { ...span, ...value.said[n] };
    if (resource !== undefined) Object.assign(clean, { resource: places.get(resource) });
    if (scope !== undefined) Object.assign(clean, { scope: places.get(scope) });
    return clean;
  });
}

/**
 * Take the spans and log records out of an export, each as a row of its own, without secrets and, unless told otherwise,
 * without personal data: in attributes, events, messages, names and what is said of host, process and user. Equal values get
 * equal placeholders as long as the salt is the same. At most as many rows as the export has records.
 *
 * @rejects invalid_id - a span whose ids are of a wrong length, or all zero; the others are kept
 * @rejects no_trace - a log record that names neither a trace nor a conversation
 * @throws TM_OPTIONS - when built, if the salt is too short or a pattern is no regular expression of RE2
 * @source house rule
 */
export const decodeSpans = defineExpand({
  name: 'decode-spans',
  options,
  rejects: ['invalid_id', 'no_trace'],
  core: decodeSpansCore,
  example: {
    options: { salt: 'example-salt' },
    in: [
      {
        records: [
          {
            trace_id: 'a'.repeat(32),
            span_id: 'b'.repeat(16),
            name: 'chat',
            attributes: { 'user.email': 'jo@mail.example' },
          },
        ],
        refused: [],
      },
    ],
    out: [
      {
        trace_id: 'a'.repeat(32),
        span_id: 'b'.repeat(16),
        name: 'chat',
        attributes: { 'user.email': '[email:e8c330ffcc49]' },
      },
    ],
  },
});
