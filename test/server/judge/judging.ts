import type { Sink } from '../../../src/core/to-sink.ts';
import type { Graded } from '../../../src/judges/apply-verdict.ts';
import type { Judge } from '../../../src/judges/judge.ts';
import { type RealtimeJudgeOptions, realtimeJudge } from '../../../src/pipelines/realtime-judge.ts';
import { withoutAnswers } from '../../../src/rows/gold-columns.ts';
import { judgeRoutes } from '../../../src/server/judge/judge-routes.ts';
import { listenHttp } from '../../../src/server/listen-http.ts';
import { jsonReader } from '../../../src/server/read-json.ts';
import { liveScene } from '../live.ts';

interface Answer {
  readonly rewards: readonly (number | null)[];
  readonly verdicts: readonly { readonly judge_status: string; readonly rollout_id: string }[];
}

/** A judge service whose verdict stream is a list. */
export function judging(judge: Judge, options: RealtimeJudgeOptions = {}, write?: Sink<Graded>['write']) {
  const written: Graded[] = [];
  const verdicts = {
    write: write ?? (async (rows: readonly Graded[]) => void written.push(...rows)),
    close: async () => {},
  };
  const service = realtimeJudge(options, { judge, verdicts, shown: withoutAnswers });
  const { app, ask } = liveScene({ parts: [judgeRoutes({ judge: service, read: jsonReader() })] });
  const post = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await ask('/v1/judge', { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
  };
  const listen = () => listenHttp(app.fetch, { host: '127.0.0.1', port: 0, maxConnections: 10 });
  return { service, post, written, listen };
}
