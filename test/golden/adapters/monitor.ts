import { createHackMonitor } from '../../../src/reports/monitor/hack-monitor.ts';
import { type HeldOut, monitorHoldout } from '../../../src/reports/monitor/holdout.ts';
import { holdoutSummary } from '../../../src/reports/runs/holdout-summary.ts';
import { trainerLogMetrics } from '../../../src/reports/runs/trainer-metrics.ts';
import type { Sampled } from '../../../src/rows/monitor-event.ts';
import { type RunCall, trainingRun } from '../../../src/sinks/training-run.ts';
import type { Adapters } from '../run-case.ts';

interface Replay {
  readonly holdout: readonly HeldOut[];
  readonly evals: readonly {
    readonly step: number;
    readonly kl?: number;
    readonly groups: readonly (readonly Sampled[])[];
    readonly buffer?: readonly { readonly prompt: string; readonly completion: string; readonly reward: number }[];
  }[];
}
const run_id = 'run';

interface Op {
  readonly op: 'log' | 'logs' | 'progress' | 'holdout' | 'note' | 'finish' | 'flush';
  readonly step: number;
  readonly from: number;
  readonly to: number;
  readonly total?: number;
  readonly before: number;
  readonly after: number;
  readonly metric?: 'pass' | 'loss';
  readonly metrics?: object;
  readonly fields?: object;
  readonly status?: 'done' | 'failed' | 'stopped';
  readonly summary?: Readonly<Record<string, unknown>>;
  readonly adapter?: string;
  readonly error?: string;
}
interface RunReplay {
  readonly ops: readonly Op[];
  readonly fail_first?: number;
}
type Call = Parameters<RunCall>[0];

/** The call with its points as they were then, without their times. */
function recorded({ method, path, body }: Call): object {
  const { points, ...rest } = structuredClone(body) as { readonly points?: readonly Record<string, unknown>[] };
  return { method, path, body: { ...rest, ...(points && { points: points.map(({ ts: _, ...point }) => point) }) } };
}

async function runOp(run: ReturnType<typeof trainingRun>, op: Op): Promise<void> {
  if (op.op === 'log') return run.log(op.step, { ...op.metrics });
  if (op.op === 'logs') for (let step = op.from; step < op.to; step++) await run.log(step, { loss: 1 });
  if (op.op === 'progress') return run.progress(op.step, op.total);
  if (op.op === 'holdout') return run.holdout(op.before, op.after, op.metric ? { metric: op.metric } : {});
  if (op.op === 'note') return run.note({ ...op.fields });
  if (op.op === 'finish') return run.finish(op.status, op);
  if (op.op === 'flush') return run.flush();
}

export const adapters: Adapters = {
  hackMonitorReplay: ([{ evals, holdout }]: readonly [Replay], options: object) => {
    const { settings } = monitorHoldout(holdout, { divergenceRule: 'threshold', ...options });
    const { nPrompts: _, ...rule } = settings;
    const monitor = createHackMonitor(rule);
    for (const { step, kl, groups, buffer = [] } of evals) {
      if (kl !== undefined && kl !== null) monitor.add({ type: 'log', run_id, step, kl });
      const [prompts, completions] = [buffer.map(({ prompt }) => prompt), buffer.map(({ completion }) => completion)];
      monitor.add({ type: 'scored', run_id, prompts, completions, rewards: buffer.map(({ reward }) => reward) });
      monitor.add({ type: 'eval', run_id, step, groups });
    }
    const { history, last_scan, ...summary } = monitor.summary();
    return {
      ...summary,
      history: history.map((entry) => ({ ...entry, gold_verdict: entry.gold_vs_window?.verdict ?? null })),
      regime: last_scan?.regime ?? null,
    };
  },
  hackMonitorOptions: ([holdout]: readonly [readonly HeldOut[]], options: object) => {
    const { asks, settings } = monitorHoldout(holdout, options);
    const { history: _, ...summary } = createHackMonitor((({ nPrompts: __, ...rule }) => rule)(settings)).summary();
    return { ...summary, n_prompts: asks.length };
  },
  holdoutSummary: ([before, after]: readonly [number, number], options: object) =>
    holdoutSummary(before, after, options),
  trainerLogMetrics: ([logs]: readonly [object]) => trainerLogMetrics({ ...logs }),
  trainingRunReplay: async ([{ ops, fail_first = 0 }]: readonly [RunReplay], options: object) => {
    const calls: object[] = [];
    const call: RunCall = async (one) => {
      calls.push(recorded(one));
      if (calls.length <= fail_first) throw new Error('503');
    };
    const run = trainingRun('run_1', { call, clock: () => 0 }, options);
    for (const op of ops) await runOp(run, op);
    return { calls, errors: run.errors(), status: run.status() };
  },
};
