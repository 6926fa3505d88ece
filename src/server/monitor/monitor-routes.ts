import { Hono } from 'hono';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import type { RealtimeJudge } from '../../pipelines/realtime-judge.ts';
import { promptText } from '../../reports/monitor/evaluation.ts';
import type { HistoryEntry } from '../../rows/history-entry.ts';
import { type MonitorEvent, monitorEventSchema } from '../../rows/monitor-event.ts';
import { answerJson } from '../answer-json.ts';
import { stopped } from '../judge/judge-routes.ts';
import type { JsonReader } from '../read-json.ts';
import type { MonitorReply, MonitorService } from './monitor-service.ts';

interface Ports {
  readonly monitors: MonitorService;
  readonly read: JsonReader;
  /** Scores the completions of an evaluation that asks for it with `gold=judge`. */
  readonly judge?: RealtimeJudge | undefined;
}

const runName = z.string().regex(/^[\w.:@-]{1,200}$/, 'letters, digits, and . : @ - _ only');
const kinds = ['scored', 'log', 'eval', 'end'] as const;
const fields = z.record(z.string(), z.unknown());

/**
 * Answer the calls of trainers about their monitor: `POST /v1/monitor/{run}` sets how it watches (options in snake case),
 * `POST /v1/monitor/{run}/scored|log|eval|end` tells it an event and answers `{history, alarms, stop}`, `GET` gives its
 * summary. `stop` is the alarm that stops the run, once there is one.
 */
export function monitorRoutes({ monitors, read, judge }: Ports): Hono {
  const routes = new Hono();
  routes.post('/v1/monitor/:run', (c) =>
    answerJson(c.req.raw, read, fields, (body) =>
      named(c.req.param('run'), (run) => {
        monitors.configure(run, camelCased(body));
        return Response.json({ run_id: run });
      }),
    ),
  );
  routes.post('/v1/monitor/:run/:kind', async (c) => {
    const kind = kinds.find((one) => one === c.req.param('kind'));
    if (!kind) return c.json({ error: 'nothing is here' }, 404);
    return answerJson(c.req.raw, read, fields, (body) =>
      named(c.req.param('run'), async (run) => {
        const event = monitorEventSchema.safeParse({ ...body, type: kind, run_id: run });
        if (!event.success)
          return Response.json({ error: z.prettifyError(event.error).slice(0, 2000) }, { status: 400 });
        const isGraded = event.data.type === 'eval' && c.req.query('gold') === 'judge';
        const whole = isGraded ? await withGold(event.data, judge) : event.data;
        if (!whole)
          return Response.json({ error: 'the judge has no room' }, { status: 429, headers: { 'retry-after': '1' } });
        return json(replyOf(monitors.take(run, whole)));
      }),
    );
  });
  routes.get('/v1/monitor/:run', (c) =>
    named(c.req.param('run'), (run) => {
      const summary = monitors.summary(run);
      return summary ? json(summary) : Response.json({ error: 'this run is not watched' }, { status: 404 });
    }),
  );
  return routes;
}

/** Names become keys of what is stored: a wrong one is refused, a wrong option is said in words. */
async function named(name: string, work: (run: string) => Response | Promise<Response>): Promise<Response> {
  const run = runName.safeParse(name);
  if (!run.success) return Response.json({ error: 'this is no name of a run' }, { status: 400 });
  try {
    return await work(run.data);
  } catch (error) {
    if (error instanceof TracemillError && error.code === 'TM_OPTIONS')
      return Response.json({ error: error.message }, { status: 400 });
    throw error;
  }
}

/** Options come as they are written in other languages: `kl_budget`. */
const camelCased = (body: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), value]),
  );

type Evaluation = Extract<MonitorEvent, { readonly type: 'eval' }>;

/** Let the judge of the server score what the proxy was given, where the trainer has no gold of its own. */
async function withGold(event: MonitorEvent, judge: RealtimeJudge | undefined): Promise<MonitorEvent | undefined> {
  const { groups, prompts = [], ...rest } = event as Evaluation;
  if (!judge) throw new TracemillError('TM_OPTIONS', 'gold=judge: this server has no judge: serve --judge');
  const columns = (rest as { readonly columns?: unknown }).columns;
  const columnsOf = (task: number) => (Array.isArray(columns) ? (columns[task] as object) : {});
  const rows = groups.flatMap((group, task) =>
    group.map(({ text }) => ({ ...columnsOf(task), prompt: promptText(prompts[task] ?? ''), final_text: text })),
  );
  const graded = await judge.grade(rows)?.catch(stopped);
  if (!graded) return undefined;
  const golds = graded.map(({ reward }) => reward).values();
  return {
    ...rest,
    type: 'eval',
    prompts,
    groups: groups.map((group) => group.map((sampled) => ({ ...sampled, gold: golds.next().value ?? null }))),
  };
}

function replyOf({ answers, stop }: MonitorReply) {
  const entry = answers.find((one): one is HistoryEntry => one.type === 'history');
  const { rows: _rows, ...figures } = entry ?? { rows: [] };
  return { history: entry ? figures : null, alarms: answers.filter(({ type }) => type === 'alarm'), stop };
}

const json = (value: unknown) =>
  new Response(stringifyJson(value), { headers: { 'content-type': 'application/json; charset=utf-8' } });
