import { z } from 'zod';
import { defineJoin } from '../core/define-join.ts';
import { RecentMap } from '../core/recent-map.ts';
import { hackMonitor } from '../operators/hack-monitor.ts';
import { createHackMonitor, type HackMonitor, type MonitorAnswer } from '../reports/monitor/hack-monitor.ts';
import { alarmId, alarmSchema } from '../rows/alarm.ts';
import { historyEntrySchema, historyId } from '../rows/history-entry.ts';
import { type MonitorEvent, readMonitorEvent } from '../rows/monitor-event.ts';

export const watchRunsOptions = hackMonitor.spec.options;

const endedSchema = z.looseObject({ type: z.literal('end'), run_id: z.string(), step: z.number().nullable() });

/** What is said of runs under watch: evaluations, alarms, and that a run is over. Read again, it rebuilds the watch. */
export const watchedSchema = z.union([historyEntrySchema, alarmSchema, endedSchema]);
export type Watched = MonitorAnswer | Readonly<z.output<typeof endedSchema>>;

/** Identity of what is said of a run: the same evaluation gives the same. */
export function watchedId(one: Watched): string {
  if (one.type === 'history') return historyId(one);
  return one.type === 'alarm' ? alarmId(one) : `${one.run_id}#end#${one.step}`;
}

interface Watch {
  readonly monitor: HackMonitor;
  /** Ids of what is known of the run. */
  readonly known: Set<string>;
  step: number | null;
}

const maxSaid = 1000; // of a run; in one process nothing comes back

/**
 * The rule: one watch for each run, which goes on from what was said of the run before, here or in another process. What this
 * process said itself comes back in the order in which it said it, and is nothing new. The entry of an evaluation is said
 * after its alarms: where it is known, all of the evaluation is.
 */
export function watchRunsCore({ maxRuns, ...settings }: z.output<typeof watchRunsOptions>) {
  const runs = new RecentMap<string, Watch>(maxRuns);
  const said = new RecentMap<string, string[]>(maxRuns); // by run, what has not come back yet
  const watchOf = (run: string): Watch => {
    const watch = runs.get(run) ?? { monitor: createHackMonitor(settings), known: new Set<string>(), step: null };
    runs.set(run, watch); // it was heard of last
    return watch;
  };
  const isOwn = (run: string, id: string): boolean => {
    const ids = said.get(run) ?? [];
    const at = ids.indexOf(id);
    if (at < 0) return false;
    ids.splice(0, at + 1); // what was said before it and did not come was said by another process in our place
    if (ids.length === 0) said.delete(run);
    return true;
  };
  const remember = (run: string, answers: readonly Watched[]): void => {
    said.set(run, [...(said.get(run) ?? []), ...answers.map(watchedId)].slice(-maxSaid));
  };
  const take = (one: Watched): void => {
    if (one.type === 'end') return void runs.delete(one.run_id);
    const watch = watchOf(one.run_id);
    const id = watchedId(one);
    if (watch.known.has(id)) return;
    watch.known.add(id);
    watch.monitor.add(one);
    if (one.type === 'history') watch.step = one.step;
  };
  const answersTo = (event: MonitorEvent): readonly Watched[] => {
    const { run_id } = event;
    if (event.type === 'end') {
      const step = runs.get(run_id)?.step;
      return runs.delete(run_id) ? [{ type: 'end', run_id, step: step ?? null }] : [];
    }
    const watch = watchOf(run_id);
    if (event.type === 'eval' && watch.known.has(historyId(event))) return []; // it is stored
    const [entry, ...alarms] = watch.monitor.add(event);
    if (!entry) return [];
    const fresh = alarms.filter((one) => !watch.known.has(watchedId(one)));
    for (const one of [entry, ...fresh]) watch.known.add(watchedId(one));
    watch.step = entry.step;
    return [...fresh, entry];
  };
  return {
    learn(given: Watched): void {
      const read = watchedSchema.safeParse(given);
      if (!read.success) return; // whoever reads the topic as its own says so
      const one = read.data as Watched;
      if (!isOwn(one.run_id, watchedId(one))) take(one);
    },
    decide(given: MonitorEvent): readonly Watched[] {
      const event = readMonitorEvent(given);
      const answers = answersTo(event);
      if (answers.length > 0) remember(event.run_id, answers);
      return answers;
    },
  };
}

/** Watch runs as `hackMonitor` does, and go on after a restart or in another process from what was said of them before. */
export const watchRuns = defineJoin({
  name: 'hack-monitor',
  options: watchRunsOptions,
  rejects: [],
  core: watchRunsCore,
  example: { options: {}, ports: {}, in: [], out: [] },
});
