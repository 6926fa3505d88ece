import { Hono } from 'hono';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import { isObject } from '../../core/json-object.ts';
import type { Graded } from '../../judges/apply-verdict.ts';
import type { RealtimeJudge } from '../../pipelines/realtime-judge.ts';
import { rowKey } from '../../rows/task-key.ts';
import type { JsonReader } from '../read-json.ts';
import { judgeRequest } from './judge-request.ts';

interface Ports {
  readonly judge: RealtimeJudge;
  readonly read: JsonReader;
  /** Rows that one request may bring. */
  readonly maxRows?: number;
}

/**
 * Answer `POST /v1/judge`: `{rewards: [...], verdicts: [...]}`, one for each row and in its order. A reward is null where
 * there is no verdict, and the status says why. Without room it answers 429 and when to come again, 503 when it stops.
 */
export function judgeRoutes({ judge, read, maxRows = 1024 }: Ports): Hono {
  const routes = new Hono();
  const answer = async (body: unknown): Promise<Response> => {
    const request = judgeRequest(body);
    if ('error' in request) return Response.json({ error: request.error.slice(0, 500) }, { status: 400 });
    if (request.rows.length > maxRows)
      return Response.json({ error: `more than ${maxRows} rows in a request` }, { status: 413 });
    const asked = attempted(() => judge.grade(request.rows));
    if (asked instanceof Error) return Response.json({ error: 'verdicts cannot be written' }, { status: 503 });
    if (!asked) {
      const seconds = String(Math.ceil(judge.retryAfterMs() / 1000));
      return Response.json({ error: 'too many rows wait' }, { status: 429, headers: { 'retry-after': seconds } });
    }
    const graded = await asked.catch(stopped);
    if (!graded) return judgeStops();
    const told = { rewards: graded.map(({ reward }) => reward), verdicts: graded.map(verdictOf) };
    return new Response(stringifyJson(told), { headers: { 'content-type': 'application/json; charset=utf-8' } });
  };
  routes.post('/v1/judge', (c) => read(c.req.raw, answer));
  return routes;
}

/** What came in and was not judged any more is for whoever answers next at this address. */
export const judgeStops = () =>
  Response.json({ error: 'the judge stops' }, { status: 503, headers: { 'retry-after': '1' } });

/** Undefined where rows were sent back as the judge stops. @throws any other error */
export function stopped(error: unknown): undefined {
  if (!(error instanceof TracemillError && error.reason === 'stopped')) throw error;
}

function attempted<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function verdictOf(row: Graded) {
  const { reward, judge_status, judge_name, reason, failure_class, judge_meta, markers, lineage } = row;
  return {
    rollout_id: rowKey(row),
    reward,
    judge_status,
    judge_name,
    reason: reason ?? '',
    ...(failure_class && { failure_class }),
    ...(isObject(judge_meta) && { judge_meta }),
    ...(isObject(markers) && { markers }),
    scoring_run_id: lineage['scoring_run_id'],
  };
}
