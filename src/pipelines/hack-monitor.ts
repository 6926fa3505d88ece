import { z } from 'zod';
import { type AnyStage, defineStage, defineView } from '../core/stage.ts';
import { hackMonitor } from '../operators/hack-monitor.ts';
import type { MonitorAnswer } from '../reports/monitor/hack-monitor.ts';
import { type Alarm, alarmSchema } from '../rows/alarm.ts';
import { type HistoryEntry, historyEntrySchema } from '../rows/history-entry.ts';
import { type MonitorEvent, monitorEventSchema } from '../rows/monitor-event.ts';

/**
 * Events of training runs in (`scored`), what their monitors answer out (`watched`), apart as evaluations (`history`) and
 * `alarms`. All of a run meets in one place.
 */
export function hackMonitorStages(options: z.input<typeof hackMonitor.spec.options>): readonly AnyStage[] {
  const key = ({ run_id }: { readonly run_id: string }) => run_id;
  const id = (one: MonitorAnswer) => `${one.run_id}#${one.type === 'alarm' ? one.kind : 'history'}#${one.step}`;
  return [
    defineStage<MonitorEvent, MonitorAnswer>({
      name: 'hack-monitor',
      from: 'scored',
      to: 'watched',
      reads: monitorEventSchema as unknown as z.ZodType<MonitorEvent>, // its input: the operator fills what is left out
      writes: z.union([historyEntrySchema, alarmSchema]),
      key,
      id,
      per: 'task',
      operator: () => hackMonitor(options),
      views: [
        defineView<MonitorAnswer, HistoryEntry>({
          to: 'history',
          schema: historyEntrySchema,
          key,
          id,
          rows: (one) => (one.type === 'history' ? [one] : []),
        }),
        defineView<MonitorAnswer, Alarm>({
          to: 'alarms',
          schema: alarmSchema,
          key,
          id,
          rows: (one) => (one.type === 'alarm' ? [one] : []),
        }),
      ],
    }),
  ];
}
