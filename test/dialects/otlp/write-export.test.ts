import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OtlpRecord } from '../../../src/dialects/otlp/decoded-log.ts';
import { decodeOtlpRequest } from '../../../src/dialects/otlp/request.ts';
import { exportsOf } from '../../../src/dialects/otlp/write-export.ts';

const headers = { 'content-type': 'application/json' };
const read = (body: string): readonly OtlpRecord[] => {
  const path = body.startsWith('{"resourceSpans"') ? '/v1/traces' : '/v1/logs';
  const { spans, logs } = decodeOtlpRequest({ method: 'POST', path, headers, body: Buffer.from(body) });
  return [...spans, ...logs];
};
const hex = (length: number) => fc.stringMatching(new RegExp(`^[1-9a-f]{${length}}$`));
const time = fc.bigInt({ min: 1n, max: 2n ** 63n }).map(String);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    ...[fc.string(), fc.boolean(), fc.double({ noNaN: true }), fc.integer(), fc.constant(null)],
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('any'), { maxKeys: 3 }),
  ),
})).any;
const attributes = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')), value, {
  maxKeys: 4,
});
const sender = fc.record({
  resource: fc.record({ attributes, dropped_attributes_count: fc.nat() }),
  scope: fc.record({ name: fc.string(), version: fc.string(), attributes }),
});
const counted = { attributes, dropped_attributes_count: fc.nat() };
const span = fc.record({
  ...{
    trace_id: hex(32),
    span_id: hex(16),
    parent_span_id: fc.option(hex(16)),
    trace_state: fc.string(),
    flags: fc.nat(),
  },
  ...{ name: fc.string(), kind: fc.nat(5), start_time_unix_nano: time, end_time_unix_nano: time, ...counted },
  events: fc.array(fc.record({ name: fc.string(), time_unix_nano: time, ...counted }), { maxLength: 2 }),
  dropped_events_count: fc.nat(),
  links: fc.array(
    fc.record({ trace_id: hex(32), span_id: hex(16), trace_state: fc.string(), flags: fc.nat(), ...counted }),
    { maxLength: 1 },
  ),
  dropped_links_count: fc.nat(),
  status: fc.record({ code: fc.nat(2), message: fc.string() }),
});
const log = fc.record({
  ...{
    trace_id: hex(32),
    span_id: fc.option(hex(16)),
    event_name: fc.stringMatching(/^[a-z]{1,9}$/),
    time_unix_nano: time,
  },
  attributes,
  body: value,
});

it('writes what reads as the same records', () => {
  fc.assert(
    fc.property(sender, fc.array(span, { maxLength: 3 }), fc.array(log, { maxLength: 2 }), (from, spans, logs) => {
      const records = [...spans, ...logs].map((one) => ({ ...one, ...from, schema_url: '' })) as OtlpRecord[];
      expect(exportsOf(records).flatMap(read)).toEqual(records);
    }),
  );
});
