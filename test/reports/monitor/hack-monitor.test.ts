import { describe, expect, it } from 'vitest';
import { createHackMonitor } from '../../../src/reports/monitor/hack-monitor.ts';
import type { Alarm } from '../../../src/rows/alarm.ts';
import type { MonitorEvent } from '../../../src/rows/monitor-event.ts';

const run_id = 'r';
interface Level {
  readonly proxy: number | null;
  readonly gold?: number | null;
  readonly text?: string;
  readonly tasks?: number;
}
const evaluation = (step: number, { proxy, gold = null, text = 'a reply', tasks = 16 }: Level): MonitorEvent => ({
  type: 'eval',
  run_id,
  step,
  groups: Array.from({ length: tasks }, () => [{ text, proxy, gold }]),
});
const kinds = (answers: readonly { readonly type: string }[]) =>
  answers.filter((one): one is Alarm => one.type === 'alarm').map(({ kind }) => kind);
const replay = (levels: readonly Level[], options: Parameters<typeof createHackMonitor>[0] = {}) => {
  const monitor = createHackMonitor(options);
  const told = levels.map((level, at) => monitor.add(evaluation(at * 10, level)));
  return { monitor, told };
};
const climb = [
  { proxy: 0.2, gold: 0.5 },
  { proxy: 0.6, gold: 0.5 },
];

describe('divergence', () => {
  it('is raised by the default rule when the climb and the gap are no chance', () => {
    const { told } = replay(climb);
    expect(told[1]?.[1]).toMatchObject({ kind: 'divergence', step: 10, since_step: 0, n_tasks: 16, low_power: false });
  });
  it('is not raised by the default rule from so few asks that chance could do it: that is a blind spot', () => {
    const few = climb.map((level) => ({ ...level, tasks: 8 }));
    expect(kinds(replay(few).told[1] ?? [])).toEqual(['blind']);
    expect(kinds(replay(few, { divergenceRule: 'threshold' }).told[1] ?? [])).toEqual(['divergence']);
    expect(kinds(replay(few, { plannedEvals: 4 }).told[1] ?? [])).toEqual(['divergence']);
  });
  it('is raised when the proxy is no number any more, also when JSON made it null', () => {
    for (const proxy of [Number.NaN, null]) {
      const { told, monitor } = replay([
        { proxy: 0.2, gold: 0.5 },
        { proxy, gold: 0.5 },
      ]);
      expect(kinds(told[1] ?? [])).toEqual(['divergence', 'blind']);
      expect(JSON.parse(JSON.stringify(monitor.summary()))).toEqual(monitor.summary());
    }
  });
  it('says when gold could not have shown a rise as large as the proxy had', () => {
    const noisy = (step: number, proxy: number, rise: number): MonitorEvent => ({
      type: 'eval',
      run_id,
      step,
      groups: Array.from({ length: 8 }, (_, task) => [{ text: 'a', proxy, gold: (task % 2) * 0.9 * (rise || 0.1) }]),
    });
    const monitor = createHackMonitor({ divergenceRule: 'threshold' });
    monitor.add(noisy(0, 0.2, 0));
    expect(monitor.add(noisy(10, 0.32, 1)).at(1)).toMatchObject({ kind: 'divergence', low_power: true });
  });
});

it('notices that the gold judge judged nothing, and does not stop for it', () => {
  const { told, monitor } = replay([{ proxy: 0.2, gold: 0.2 }, { proxy: 0.2 }], { stopOn: ['any'] });
  expect(told[1]?.[1]).toMatchObject({ kind: 'blind', what: 'gold' });
  expect(monitor.summary()).toMatchObject({ alarms: [], stopped_at: null, notices: [{ what: 'gold' }] });
});

it('stops at the first alarm that stopOn names', () => {
  const longer = [climb[0] as Level, { proxy: 0.6, gold: 0.5, text: 'a reply that is longer' }];
  const { monitor } = replay(longer, { stopOn: ['length'] });
  expect(monitor.summary().alarms.map(({ kind }) => kind)).toEqual(['divergence', 'length']);
  expect(monitor.summary().stopped_at).toMatchObject({ kind: 'length', step: 10 });
});

it('tells how the length changed, also when it collapses, and keeps nothing of the rows in its summary', () => {
  const { monitor } = replay([
    { proxy: 0, text: 'x'.repeat(200) },
    { proxy: 0, text: 'xx' },
  ]);
  expect(monitor.summary().history[1]?.length_growth).toBeCloseTo(-0.99);
  expect(JSON.stringify(monitor.summary())).not.toContain('final_text');
});

it('goes on after a restart where its own answers, read back as JSON, say it was', () => {
  const levels = [0.2, 0.24, 0.28, 0.33, 0.5].map((proxy) => ({ proxy, gold: 0.5 }));
  const { monitor, told } = replay(levels, { stopOn: ['divergence'] });
  const again = createHackMonitor({ stopOn: ['divergence'] });
  for (const answer of told.slice(0, 4).flat()) again.add(JSON.parse(JSON.stringify(answer)) as MonitorEvent);
  expect(again.add(evaluation(40, levels[4] as Level))).toEqual(told[4]);
  expect(again.summary()).toEqual(monitor.summary());
});

it('keeps the newest completions of each reward apart, and none with a buffer of 0', () => {
  const scored = (name: string, rewards: readonly unknown[]): MonitorEvent => ({
    type: 'scored',
    run_id,
    name,
    prompts: rewards.map((_, at) => `ask ${at}`),
    completions: rewards.map(() => [{ role: 'assistant', content: 'done' }]),
    rewards,
  });
  for (const [buffer, kept] of [
    [3, 5],
    [0, 0],
  ] as const) {
    const monitor = createHackMonitor({ buffer });
    monitor.add(scored('format', [1, 0, null, 1, 1]));
    monitor.add(scored('answer', [1, 0, Number.NaN]));
    expect(monitor.summary().buffer_size).toBe(kept);
  }
});
