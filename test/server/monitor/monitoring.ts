import type { Judge } from '../../../src/judges/judge.ts';
import { realtimeJudge } from '../../../src/pipelines/realtime-judge.ts';
import type { Alarm } from '../../../src/rows/alarm.ts';
import { listenHttp } from '../../../src/server/listen-http.ts';
import { monitorRoutes } from '../../../src/server/monitor/monitor-routes.ts';
import { monitorService } from '../../../src/server/monitor/monitor-service.ts';
import { openMonitorStore } from '../../../src/server/monitor/monitor-store.ts';
import { jsonReader } from '../../../src/server/read-json.ts';
import { liveScene } from '../live.ts';

interface Reply {
  readonly error?: string;
  readonly history: { readonly step: number; readonly gold: number | null } | null;
  readonly alarms: readonly Alarm[];
  readonly stop: Alarm | null;
}

/** A server of monitors whose alarms are a list. */
export function monitoring({ path = ':memory:', judge }: { readonly path?: string; readonly judge?: Judge } = {}) {
  const told: Alarm[] = [];
  const store = openMonitorStore(path);
  const tell = (_run: string, answers: readonly unknown[]) =>
    void told.push(...(answers as readonly Alarm[]).filter(({ type }) => type === 'alarm'));
  const monitors = monitorService({ store, tell });
  const service = judge && realtimeJudge({}, { judge });
  const { app, ask } = liveScene({ parts: [monitorRoutes({ monitors, read: jsonReader(), judge: service })] });
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await ask(`/v1/monitor/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Reply };
  };
  const listen = () => listenHttp(app.fetch, { host: '127.0.0.1', port: 0, maxConnections: 20 });
  return { post, ask, told, store, listen };
}
