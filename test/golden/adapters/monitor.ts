import { createHackMonitor } from '../../../src/reports/monitor/hack-monitor.ts';
import { type HeldOut, monitorHoldout } from '../../../src/reports/monitor/holdout.ts';
import type { Sampled } from '../../../src/rows/monitor-event.ts';
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
};
