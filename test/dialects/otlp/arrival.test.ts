import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/json.ts';
import { decodedLogs } from '../../../src/dialects/otlp/decoded-log.ts';
import { decodedSpans } from '../../../src/dialects/otlp/decoded-span.ts';
import { assembleSessions } from '../../../src/dialects/otlp/sessions.ts';
import { latestRevisions } from '../../../src/rows/revision.ts';
import type { SpanRecord } from '../../spans.ts';

interface Case {
  readonly name: string;
  readonly input: readonly unknown[];
}

/** Traces of every dialect as their instrumentations write them, decoded: those whose spans all can be kept. */
const cases = (parseJson(readFileSync('test/golden/cases/traces/otlp.json', 'utf8')) as readonly Case[]).flatMap(
  ({ name, input }) => {
    const bodies = input.flat() as readonly Readonly<Record<string, unknown>>[];
    const spans = bodies.map((body) => decodedSpans(body));
    const logs = bodies.flatMap((body) => decodedLogs(body).logs);
    const records = [...spans.flatMap((one) => one.spans), ...logs] as readonly object[] as readonly SpanRecord[];
    const isWhole = spans.every(({ refused }) => refused.length === 0);
    return isWhole && records.length > 1 ? [{ name, records }] : [];
  },
);

/** The rows that an end keeps. After each of `closing` records everything closes, and is told again when more comes. */
function assembled(records: readonly SpanRecord[], closing: readonly boolean[] = []) {
  const sessions = assembleSessions({ maxIdleMs: 10, maxLateMs: 1_000_000_000 });
  const told = records.flatMap((record, n) => {
    const now = n * 20;
    return [...sessions.add(record, now), ...(closing[n] ? sessions.tick(now + 10) : [])];
  });
  const rows = latestRevisions([...told, ...sessions.end()]);
  return rows.sort((a, b) => (String(a.rollout_id) < String(b.rollout_id) ? -1 : 1));
}

describe.each(cases)('$name', ({ records }) => {
  const whole = assembled(records);

  it('is the same row in every order, in every split, with any span sent again', () => {
    const sent = fc.array(fc.nat(records.length - 1), { maxLength: 3 }).chain((again) => {
      const all: SpanRecord[] = [...records, ...again.map((n) => records[n] ?? {})];
      return fc.tuple(
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.array(fc.boolean(), { minLength: all.length, maxLength: all.length }),
      );
    });
    fc.assert(
      fc.property(sent, ([order, closing]) => {
        expect(assembled(order, closing)).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });

  it('says so when the parent of a span is lost', () => {
    for (const lost of records) {
      const rest = records.filter((record) => record !== lost);
      const isParent = rest.some(
        ({ trace_id, parent_span_id }) => trace_id === lost['trace_id'] && parent_span_id === lost['span_id'],
      );
      if (!isParent) continue;
      const rows = assembled(rest);
      const counted = rows.map(({ span_counts }) => Number(Object(span_counts).orphans));
      if (rows.length > 0) expect(Math.max(...counted)).toBeGreaterThan(0);
    }
  });
});
