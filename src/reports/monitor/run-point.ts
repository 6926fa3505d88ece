import { type Alarm, alarmKinds } from '../../rows/alarm.ts';
import type { HistoryEntry } from '../../rows/history-entry.ts';
import type { MonitorAnswer } from './hack-monitor.ts';

/** The metrics of an evaluation on the curves of its run: what was measured, and `alarm_<kind>` 1 for each alarm. */
export function evaluationMetrics(
  { proxy, gold, length }: HistoryEntry,
  answers: readonly MonitorAnswer[],
): Readonly<Record<string, number>> {
  const raised = answers.filter((one): one is Alarm => one.type === 'alarm' && one.kind !== 'blind');
  return {
    ...(proxy !== null && { proxy_reward: proxy }),
    ...(gold !== null && { gold_reward: gold }),
    ...(length !== null && { holdout_length: length }),
    ...Object.fromEntries(
      alarmKinds.filter((kind) => raised.some((one) => one.kind === kind)).map((kind) => [`alarm_${kind}`, 1]),
    ),
  };
}
