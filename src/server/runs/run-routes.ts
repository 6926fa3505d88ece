import { Hono } from 'hono';
import { TracemillError } from '../../core/errors.ts';
import { idOf } from '../../core/ids.ts';
import { stringifyJson } from '../../core/json.ts';
import type { JsonObject } from '../../core/json-object.ts';
import { comparedSummary } from '../../reports/runs/compared-summary.ts';
import { answerJson } from '../answer-json.ts';
import type { LiveBoard } from '../live-board.ts';
import type { JsonReader } from '../read-json.ts';
import {
  compareRequestSchema,
  finishRequestSchema,
  logRequestSchema,
  type RunRecord,
  runRequestSchema,
} from './run-record.ts';
import type { RunStore } from './run-store.ts';

interface Ports {
  readonly store: RunStore;
  readonly read: JsonReader;
  readonly live: LiveBoard;
}

/** Answer the calls about training runs: create, log, finish, read, list, delete. */
export function runRoutes({ store, read, live }: Ports): Hono {
  const routes = new Hono();
  const tell = (record: RunRecord): Response => {
    showRun(record, live);
    return Response.json({ runId: record.runId, status: record.status });
  };
  const found = (record: RunRecord | undefined): Response => (record ? tell(record) : unknown());
  routes.post('/runs', (c) => answerJson(c.req.raw, read, runRequestSchema, (body) => tell(store.create(body))));
  routes.post('/runs/:id/log', (c) =>
    answerJson(c.req.raw, read, logRequestSchema, (body) => found(store.log(c.req.param('id'), body))),
  );
  routes.post('/runs/:id/finish', (c) =>
    answerJson(c.req.raw, read, finishRequestSchema, (body) => found(store.finish(c.req.param('id'), body))),
  );
  routes.post('/v1/compare', (c) =>
    answerJson(c.req.raw, read, compareRequestSchema, ({ name, report }) => {
      try {
        return tell(keepComparison(store, name, report as JsonObject));
      } catch (error) {
        if (!(error instanceof TracemillError && error.code === 'TM_OPTIONS')) throw error;
        return Response.json({ error: error.message.slice(0, 2000) }, { status: 400 });
      }
    }),
  );
  routes.get('/runs', () => json({ runs: store.list() }));
  routes.get('/runs/:id', (c) => {
    const record = store.get(c.req.param('id'));
    if (!record) return unknown();
    const max = Number(c.req.query('max_points') ?? Number.POSITIVE_INFINITY);
    return json({ ...record, series: store.series(record.runId, max >= 1 ? max : undefined) });
  });
  routes.delete('/runs/:id', (c) => {
    const record = store.get(c.req.param('id'));
    if (!record || !store.remove(record.runId)) return unknown();
    showRun(record, live, true);
    return Response.json({ deleted: record.runId });
  });
  return routes;
}

const unknown = () => Response.json({ error: 'there is no such run' }, { status: 404 });
const json = (value: unknown) =>
  new Response(stringifyJson(value), { headers: { 'content-type': 'application/json; charset=utf-8' } });

/**
 * Keep a comparison as a run of its name that is over; the same one is kept once.
 *
 * @throws TM_OPTIONS - it is no comparison
 */
export const keepComparison = (store: RunStore, name: string, report: JsonObject): RunRecord =>
  store.keep(`compare_${idOf([name, report])}`, name, comparedSummary(report) as JsonObject);

/** Show a run on the page. */
export function showRun(record: RunRecord, live: LiveBoard, isDeleted = false): void {
  const { runId, name, status, verdict, step, total_steps, latest, updated_at } = record;
  live.run({
    run_id: runId,
    name,
    status,
    verdict,
    step,
    total_steps: total_steps ?? null,
    latest: { ...latest },
    ...(isDeleted && { is_deleted: true }),
    at_ms: updated_at,
  });
}
