import type { z } from 'zod';
import { idOf } from '../core/ids.ts';
import { type AnyStage, defineStage, defineView } from '../core/stage.ts';
import { type Alarm, alarmSchema } from '../rows/alarm.ts';
import { type HistoryEntry, historyEntrySchema } from '../rows/history-entry.ts';
import type { MonitorEvent } from '../rows/monitor-event.ts';
import { monitorEventsSource, writtenEventSchema } from '../sources/monitor-events.ts';
import { definePipeline } from './pipeline.ts';
import { type Watched, watchedId, watchedSchema, watchRuns, watchRunsOptions } from './watch-runs.ts';

const key = ({ run_id }: { readonly run_id: string }) => run_id;

/**
 * Events of training runs in (`scored`), what their monitors answer out (`watched`), apart as evaluations (`history`) and
 * `alarms`. All of a run meets in one place. Each process reads `watched` whole, so a run that moves to another one, or a
 * process that starts again, goes on where the run was; of its scored completions it sees those that come from then on.
 */
export function hackMonitorStages(options: z.input<typeof watchRunsOptions>): readonly AnyStage[] {
  return [
    defineStage<MonitorEvent, Watched>({
      name: 'watch',
      from: 'scored',
      to: 'watched',
      reads: writtenEventSchema,
      writes: watchedSchema,
      key,
      id: watchedId,
      per: 'task',
      follows: { kind: 'watched', schema: watchedSchema as never },
      operator: ({ follow }) => watchRuns(options, { follow }),
      views: [
        defineView<Watched, HistoryEntry>({
          to: 'history',
          schema: historyEntrySchema,
          key,
          id: watchedId,
          rows: (one) => (one.type === 'history' ? [one] : []),
        }),
        defineView<Watched, Alarm>({
          to: 'alarms',
          schema: alarmSchema,
          key,
          id: watchedId,
          rows: (one) => (one.type === 'alarm' ? [one] : []),
        }),
      ],
    }),
  ];
}

/** The monitor by its name: events of files or of a topic in. */
export const hackMonitorPipeline = definePipeline({
  name: 'hackMonitor',
  summary: 'Watch training runs for reward hacking, by what their trainers write.',
  options: watchRunsOptions,
  example: {},
  open: (options, { files }) => ({
    stages: hackMonitorStages(options),
    source: files && monitorEventsSource(files),
    input: { key, id: (event: MonitorEvent) => idOf([event]) },
    out: 'watched',
  }),
});
