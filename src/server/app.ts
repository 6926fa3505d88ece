import { Hono } from 'hono';
import { type Clock, systemClock } from '../core/clock.ts';
import { parseJson, stringifyJson } from '../core/json.ts';
import type { JsonObject } from '../core/json-object.ts';
import { eventStream } from './event-stream.ts';
import { guard } from './guard.ts';
import type { LiveBoard } from './live-board.ts';
import { prometheusText } from './prometheus.ts';
import { shownRollout } from './shown-rollout.ts';

interface App {
  readonly live: LiveBoard;
  readonly token: string;
  readonly allowedHosts?: readonly string[];
  readonly clock?: Clock;
  /** Further figures of the server, by name, for `/metrics`. */
  readonly figures?: () => Readonly<Record<string, number>>;
  /** Told of requests that broke something. */
  readonly say?: (line: string) => void;
  /** Readers of events at a time; more are sent away. */
  readonly maxReaders?: number;
  /** What else is answered, by the path it stands under. */
  readonly parts?: readonly Hono[];
}

/**
 * Make the server without a socket: `/healthz`, `/metrics`, `/v1/events`, `/v1/rollouts/{id}`, its `/conversation`, and the parts that are given
 * (judge, runs, monitor, page). Everything but `/healthz` asks for the token.
 */
export function createApp({
  live,
  token,
  allowedHosts = [],
  clock = systemClock,
  figures = () => ({}),
  say = () => {},
  maxReaders = 32,
  parts = [],
}: App): Hono {
  const app = new Hono();
  let readers = 0;
  let broken = 0;
  app.use(guard({ token, allowedHosts, open: ['/healthz'] }));
  app.get('/healthz', (c) => {
    const health = live.health();
    return c.json(health, health.is_ok ? 200 : 503);
  });
  app.get('/metrics', (c) => {
    const { is_ok } = live.health();
    c.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    return c.body(
      prometheusText(live.stages.workers(), {
        healthy: Number(is_ok),
        event_readers: readers,
        broken_requests: broken,
        ...figures(),
      }),
    );
  });
  app.get('/v1/events', (c) => {
    if (readers >= maxReaders) return c.json({ error: 'too many readers' }, 429, { 'retry-after': '5' });
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers); // nobody reads, and nobody would end it
    readers++;
    const stream = eventStream({ board: live.board, clock, health: live.health, onEnd: () => readers-- });
    return c.body(stream, 200, headers);
  });
  app.get('/v1/rollouts/:id', (c) => {
    const text = live.rowText(c.req.param('id'));
    if (text === undefined) return c.json({ error: 'this rollout is not kept, or not any more' }, 404);
    return c.body(text, 200, { 'content-type': 'application/json; charset=utf-8' });
  });
  app.get('/v1/rollouts/:id/conversation', (c) => {
    const text = live.rowText(c.req.param('id'));
    if (text === undefined) return c.json({ error: 'this rollout is not kept, or not any more' }, 404);
    c.header('content-type', 'application/json; charset=utf-8');
    return c.body(stringifyJson(shownRollout(parseJson(text) as JsonObject)));
  });
  for (const part of parts) app.route('/', part);
  app.notFound((c) => c.json({ error: 'nothing is here' }, 404));
  app.onError((error, c) => {
    broken++;
    say(`${c.req.method} ${c.req.path} broke something: ${String(error)}`);
    if (isKeeping(error))
      return c.json(
        { error: 'nothing can be kept at the moment: another program holds the file, or the disk is full' },
        503,
        {
          'retry-after': '1',
        },
      );
    return c.json({ error: 'this request broke something; it is counted' }, 500);
  });
  return app;
}

/** A database that is locked, full or read-only may be none of it in a moment: whoever asks comes again. */
const isKeeping = (error: unknown): boolean =>
  /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN)/.test(String((error as { readonly code?: unknown }).code));
