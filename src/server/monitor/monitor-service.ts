import type { JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { RecentMap } from '../../core/recent-map.ts';
import {
  createHackMonitor,
  type HackMonitor,
  type MonitorAnswer,
  type MonitorSummary,
} from '../../reports/monitor/hack-monitor.ts';
import { monitorOptionsSchema } from '../../reports/monitor/options.ts';
import type { Alarm } from '../../rows/alarm.ts';
import type { MonitorEvent } from '../../rows/monitor-event.ts';
import type { MonitorStore } from './monitor-store.ts';

/** What a trainer is told after an event. */
export interface MonitorReply {
  readonly answers: readonly MonitorAnswer[];
  /** Set when the run is to stop, and from then on. */
  readonly stop: Alarm | null;
}

interface Ports {
  readonly store: MonitorStore;
  /** Settings of runs that bring none of their own. */
  readonly defaults?: JsonObject;
  /** Told of every answer when it is stored: the page, the topics, webhooks. It must not throw. */
  readonly tell: (run: string, answers: readonly MonitorAnswer[], summary: MonitorSummary) => void;
  readonly maxRuns?: number;
}

/** The monitors of a server, one for each run. */
export interface MonitorService {
  /** Set how a run is watched, from its next event on; a run that ended begins anew. @throws TM_OPTIONS - an option is unknown or out of range */
  configure(run: string, settings: JsonObject): void;
  take(run: string, event: MonitorEvent): MonitorReply;
  /** What is known of a run, and whether it is over. */
  summary(run: string): (MonitorSummary & { readonly has_ended: boolean }) | undefined;
}

/**
 * Watch runs of trainers in other processes. What is told is stored before it is answered, so a restart forgets nothing; an
 * evaluation that is sent again is answered as it was and raises nothing twice. After `end` the next event under that name
 * begins another run, watched in the same way. Memory: `maxRuns` monitors; others are read
 * back when they are heard of.
 */
export function monitorService({ store, defaults = {}, tell, maxRuns = 100 }: Ports): MonitorService {
  const open = new RecentMap<string, HackMonitor>(maxRuns);
  const made = (settings: JsonObject) => createHackMonitor({ ...defaults, ...settings });
  const monitorOf = (run: string): HackMonitor => {
    const monitor = open.get(run) ?? made(store.settings(run) ?? {});
    if (!open.has(run)) for (const event of store.replay(run)) monitor.add(event);
    open.set(run, monitor); // it was heard of last
    return monitor;
  };
  /** Another run under an old name: it is not stopped by the alarm of the one before, nor answered with its evaluations. */
  const renew = (run: string): void => {
    store.forget(run);
    open.delete(run);
  };
  const ended = (run: string): MonitorReply => {
    store.end(run);
    return { answers: [], stop: monitorOf(run).summary().stopped_at };
  };
  return {
    configure(run, settings) {
      parseOptions('hackMonitor', monitorOptionsSchema, { ...defaults, ...settings });
      if (store.hasEnded(run)) renew(run);
      store.configure(run, settings);
      open.delete(run);
    },
    take(run, event) {
      if (event.type === 'end') return ended(run);
      if (store.hasEnded(run)) renew(run);
      const monitor = monitorOf(run);
      const known = event.type === 'eval' ? store.answersAt(run, event.step) : undefined;
      if (known) return { answers: known, stop: monitor.summary().stopped_at };
      const answers = monitor.add(event);
      try {
        store.keep(run, event, answers);
      } catch (error) {
        open.delete(run); // it knows what is not stored: the event that comes again finds it as it was
        throw error;
      }
      const summary = monitor.summary();
      if (answers.length > 0) tell(run, answers, summary);
      return { answers, stop: summary.stopped_at };
    },
    summary: (run) =>
      store.settings(run) === undefined ? undefined : { ...monitorOf(run).summary(), has_ended: store.hasEnded(run) },
  };
}
