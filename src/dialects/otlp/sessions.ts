import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseOptions } from '../../core/operator.ts';
import type { Row } from '../../rows/row.ts';
import { conversationKey, groupSpans } from './span-group.ts';
import { spanRow } from './span-row.ts';
import { mergedSpan, type SpanView, spanView } from './span-view.ts';

/** Options of `assembleSessions`. */
const options = z.strictObject({
  maxIdleMs: z
    .int()
    .min(1)
    .default(30_000)
    .describe('A session closes when none of its spans came for this long, in ms.'),
  maxLateMs: z
    .int()
    .min(0)
    .default(300_000)
    .describe('A closed session is remembered for this long, in ms: a late span tells it again.'),
  maxSpans: z
    .int()
    .min(1)
    .default(100_000)
    .describe('Spans held at a time; beyond it the session that waited longest closes and is forgotten.'),
});

/** Spans on their way to rows. Times are milliseconds of the caller's clock and never go back. */
export interface SessionAssembly {
  /** Take one span as it was decoded. Gives the rows of sessions that had to close for it. */
  add(span: Readonly<Record<string, unknown>>, now: number): readonly Row[];
  /** Close what was idle for long enough. */
  tick(now: number): readonly Row[];
  /** Close everything: the stream ended. */
  end(): readonly Row[];
  /** For metrics: open sessions, spans held, copies of spans dropped. */
  counts(): { readonly open: number; readonly spans: number; readonly duplicates: number };
}

interface Session {
  readonly spans: Map<string, SpanView>;
  readonly names: Set<string>;
  touched: number;
  revision: number;
  duplicates: number;
}

/**
 * Assemble spans into conversations as they arrive, in any order. A span joins the session of its trace, and a
 * conversation key that any span carries joins all traces that share it. A session closes when it was idle; a span that
 * comes later tells it again under the same id with the next `revision`, of which readers keep the highest. A span
 * delivered twice counts once. A span whose parent never came stays, as a root of its own, and is counted. Memory:
 * `maxSpans` spans.
 *
 * @source house rule
 */
export function assembleSessions(config: z.input<typeof options> = {}): SessionAssembly {
  const { maxIdleMs, maxLateMs, maxSpans } = parseOptions('assembleSessions', options, config);
  const byName = new Map<string, Session>();
  // in both the one touched longest ago comes first, so that no pass looks at sessions that can wait
  const open = new Set<Session>();
  const closed = new Set<Session>();
  let held = 0;
  let order = 0;
  let duplicates = 0;

  const touch = (session: Session, now: number) => {
    session.touched = now;
    closed.delete(session);
    open.delete(session);
    open.add(session);
  };
  const forget = (session: Session) => {
    open.delete(session);
    closed.delete(session);
    held -= session.spans.size;
    for (const name of session.names) byName.delete(name);
  };
  const sessionOf = (names: readonly string[]): Session => {
    const known = [...new Set(names.flatMap((name) => byName.get(name) ?? []))];
    const session =
      known.reduce<Session | undefined>((all, one) => (all ? joined(all, one) : one), undefined) ?? fresh();
    for (const one of known)
      if (one !== session) {
        open.delete(one);
        closed.delete(one);
      }
    for (const name of [...names, ...session.names]) {
      session.names.add(name);
      byName.set(name, session);
    }
    return session;
  };
  const joined = (into: Session, from: Session): Session => {
    for (const [id, span] of from.spans) into.spans.set(id, span);
    for (const name of from.names) into.names.add(name);
    into.revision = Math.max(into.revision, from.revision);
    into.duplicates += from.duplicates;
    return into;
  };
  const close = (session: Session): Row[] => {
    open.delete(session);
    closed.add(session);
    session.revision++;
    return rowsOf(session);
  };

  const tick = (now: number): Row[] => {
    const rows: Row[] = [];
    for (const session of open) {
      if (now - session.touched < maxIdleMs) break;
      rows.push(...close(session));
    }
    for (const session of closed) {
      if (now - session.touched < maxIdleMs + maxLateMs) break;
      forget(session);
    }
    return rows;
  };
  return {
    add(raw, now) {
      const rows = tick(now);
      const span = spanView(raw, order++);
      const session = sessionOf(namesOf(span));
      const id = span.spanId === '' ? `#${span.order}` : `${span.traceId}/${span.spanId}`;
      const seen = session.spans.get(id);
      if (seen) {
        session.duplicates++;
        duplicates++;
      } else held++;
      const kept = seen ? mergedSpan(seen, span) : span;
      session.spans.set(id, kept);
      if (kept !== seen) touch(session, now); // a copy that says nothing new tells nothing again
      while (held > maxSpans) {
        const [oldest = first(open)] = closed; // what was told already goes first
        if (!oldest || oldest === session) break;
        if (open.has(oldest)) rows.push(...close(oldest));
        forget(oldest);
      }
      return rows;
    },
    tick,
    end() {
      const rows = [...open].flatMap(close);
      for (const session of [...closed]) forget(session);
      return rows;
    },
    counts: () => ({ open: open.size, spans: held, duplicates }),
  };
}

const first = <T>(set: ReadonlySet<T>): T | undefined => set.values().next().value;

const fresh = (): Session => ({
  spans: new Map(),
  names: new Set(),
  touched: 0,
  revision: 0,
  duplicates: 0,
});

/** What a span is known by: its trace, and its conversation. One without either is a session of its own. */
function namesOf(span: SpanView): readonly string[] {
  const key = conversationKey(span);
  const names = [
    ...(span.traceId === '' ? [] : [`trace ${span.traceId}`]),
    ...(key === undefined ? [] : [`key ${key}`]),
  ];
  return names.length > 0 ? names : [`alone ${span.order}`];
}

function rowsOf({ spans, revision, duplicates }: Session): Row[] {
  const all = [...spans.values()];
  const ids = new Set(all.map(({ traceId, spanId }) => `${traceId}/${spanId}`));
  return groupSpans(all, 'conversation').flatMap((group) => {
    const { row, hasContent } = spanRow(group, false);
    if (!hasContent) return [];
    const orphans = group.spans.filter(
      ({ parentId, traceId }) => parentId !== '' && !ids.has(`${traceId}/${parentId}`),
    );
    return [
      {
        ...row,
        rollout_id: hex12(group.key ?? JSON.stringify(row['prompt'])),
        revision,
        span_counts: { spans: group.spans.length, orphans: orphans.length, duplicates },
      } as Row,
    ];
  });
}

const hex12 = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
