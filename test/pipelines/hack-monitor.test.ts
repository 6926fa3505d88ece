import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { trainingEvals } from '../../bench/monitor-runs.ts';
import { pull } from '../../src/core/source.ts';
import type { Sink } from '../../src/core/to-sink.ts';
import { hackMonitorStages } from '../../src/pipelines/hack-monitor.ts';
import { inMemory } from '../../src/pipelines/in-memory.ts';
import type { Alarm } from '../../src/rows/alarm.ts';
import type { HistoryEntry } from '../../src/rows/history-entry.ts';
import type { MonitorEvent } from '../../src/rows/monitor-event.ts';

it('gives evaluations and alarms of runs that come mixed, each on its own, through JSON as between processes', async () => {
  const runs = [1, 2].map((seed) => [
    ...trainingEvals(seed, { asks: 32, k: 4, evals: 20, ...(seed === 2 && { hackedFrom: 5 }) }),
  ]);
  const mixed = (runs[0] ?? []).flatMap((event, n) => [event, runs[1]?.[n] as MonitorEvent]);
  const [history, alarms]: [HistoryEntry[], Alarm[]] = [[], []];
  const into = (list: unknown[]): Sink<never> => ({
    write: async (rows) => void list.push(...rows),
    close: async () => {},
  });
  const rejections: unknown[] = [];
  const sinks = { watched: into([]), history: into(history), alarms: into(alarms) };
  const ends = {
    source: pull([...mixed, { type: 'what' } as never]),
    sinks,
    rejected: { write: async (rows: readonly unknown[]) => void rejections.push(...rows), close: async () => {} },
  };
  await lastValueFrom(inMemory(hackMonitorStages({ plannedEvals: 20 }), { ...ends, serialised: true }), {
    defaultValue: undefined,
  });
  expect([history.length, rejections.length]).toEqual([40, 1]);
  expect(new Set(alarms.filter(({ kind }) => kind === 'divergence').map(({ run_id }) => run_id))).toEqual(
    new Set(['run-2']),
  );
});
