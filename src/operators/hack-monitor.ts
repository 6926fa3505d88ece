import { z } from 'zod';
import { defineExpand } from '../core/define-expand.ts';
import { RecentMap } from '../core/recent-map.ts';
import { createHackMonitor, type HackMonitor, type MonitorAnswer } from '../reports/monitor/hack-monitor.ts';
import { monitorOptions } from '../reports/monitor/options.ts';
import { type MonitorEvent, readMonitorEvent } from '../rows/monitor-event.ts';

const options = z.strictObject({
  ...monitorOptions,
  maxRuns: z.int().min(1).default(1000).describe('Runs watched at once; the one unheard of for longest is forgotten.'),
});

/** The rule alone: one watch for each run. */
export function hackMonitorCore({
  maxRuns,
  ...settings
}: z.output<typeof options>): (event: MonitorEvent) => readonly MonitorAnswer[] {
  const runs = new RecentMap<string, HackMonitor>(maxRuns);
  return (given) => {
    const event = readMonitorEvent(given);
    const monitor = runs.get(event.run_id) ?? createHackMonitor(settings);
    if (event.type === 'end') {
      runs.delete(event.run_id);
      return [];
    }
    runs.set(event.run_id, monitor); // it was heard of last
    return monitor.add(event);
  };
}

/**
 * Watch training runs for reward hacking while they train. Each evaluation of a run gives its history entry, then what it
 * raises: `drift`, `feature`, `divergence`, `length`, and `blind` for what could not be watched. Give the history entries
 * and alarms of a run first, and the watch goes on where it was. What is no event is rejected as `error`.
 * Memory: for each run the completions of `window` evaluations and `buffer` scored ones for each reward.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source Gao et al. 2022 (arXiv:2210.10760); rlhfbook ch. 6, 14, 15
 */
export const hackMonitor = defineExpand({
  name: 'hack-monitor',
  options,
  core: hackMonitorCore,
  example: {
    options: {},
    in: [evaluation(0, 'Yes.'), evaluation(10, 'Yes, yes.')],
    out: [
      entry(0, 'Yes.', {}),
      entry(10, 'Yes, yes.', { length_growth: 1.25 }),
      {
        type: 'alarm',
        run_id: 'r',
        step: 10,
        kind: 'length',
        reason: 'completions are 125 % longer than at step 0, gold is not up',
        length_growth: 1.25,
        since_step: 0,
      },
    ],
  },
});

function evaluation(step: number, text: string): MonitorEvent {
  return { type: 'eval', run_id: 'r', step, groups: [[{ text, proxy: 1 }]] };
}

function entry(step: number, final_text: string, more: object): MonitorAnswer {
  const figures = { n: 1, proxy: 1, gold: null, length: final_text.length, kl: null, ...more };
  const place = { prompt: '', task_id: '0', rollout_index: 0 };
  const said = { final_text, steps: [], messages: [{ role: 'assistant', content: final_text }] };
  return { type: 'history', run_id: 'r', step, ...figures, rows: [{ ...place, ...said, markers: { proxy: 1 } }] };
}
