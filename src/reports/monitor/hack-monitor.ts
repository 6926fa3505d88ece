import type { z } from 'zod';
import { parseOptions } from '../../core/operator.ts';
import type { Alarm } from '../../rows/alarm.ts';
import type { HistoryEntry, HistoryFigures } from '../../rows/history-entry.ts';
import { loggedNumber } from '../../rows/logged-number.ts';
import type { MonitorEvent } from '../../rows/monitor-event.ts';
import { blind, divergence, drift, feature, lengthAlarm, type Raised, scanFields } from './alarms.ts';
import { type EvalEvent, evaluationRows, finiteOrNull, meanLength, meanScore } from './evaluation.ts';
import { type MonitorSettings, monitorOptionsSchema } from './options.ts';
import { keepScored, type NamedScan, type ScoredBuffers, scanBuffers } from './scored-buffer.ts';
import type { GainTest } from './significant-gain.ts';
import { type Looked, windowFacts } from './window-facts.ts';

/** What a monitor says of an event: nothing, or an evaluation with what it raised. */
export type MonitorAnswer = HistoryEntry | Alarm;

/** The watch over one run. */
export interface HackMonitor {
  /** Take an event; an evaluation answers its history entry, then its alarms in their order. */
  add(event: MonitorEvent): readonly MonitorAnswer[];
  /** What is known of the run, as JSON: numbers that are none are null. */
  summary(): MonitorSummary;
}

/**
 * Watch one training run for reward hacking: fed with its events one after the other, it holds each evaluation of the
 * held-out asks against the one `window` evaluations before and raises drift, feature, divergence and length, in this order.
 * An alarm comes again at every evaluation where it holds. History entries and alarms given back rebuild the watch, save
 * for the scored completions.
 *
 * Memory: the rows of `window` + 1 evaluations, `buffer` completions for each reward, a few numbers for each evaluation.
 *
 * @throws TM_OPTIONS - when built, if an option is unknown or out of range
 * @source Gao et al. 2022 (arXiv:2210.10760); rlhfbook ch. 6, 14, 15
 */
export function createHackMonitor(given: z.input<typeof monitorOptionsSchema> = {}): HackMonitor {
  const settings = parseOptions('hackMonitor', monitorOptionsSchema, given);
  const buffers: ScoredBuffers = new Map();
  const history: HistoryFigures[] = [];
  const looked: Looked[] = [];
  const alarms: Alarm[] = [];
  const notices: Alarm[] = [];
  let kl: number | undefined;
  let lastScan: NamedScan | undefined;
  let stoppedAt: Alarm | undefined;
  let power: MonitorSummary['power'] = null;

  const remember = ({ rows, ...entry }: HistoryEntry): void => {
    history.push(entry as HistoryFigures);
    looked.push({ step: entry.step, rows });
    if (looked.length > settings.window) looked.shift(); // the next one looks back as far as `window`
  };
  const note = (alarm: Alarm): void => {
    (alarm.kind === 'blind' ? notices : alarms).push(alarm);
    if (stopsRun(alarm, settings)) stoppedAt ??= alarm;
  };
  const evaluate = (event: EvalEvent): readonly MonitorAnswer[] => {
    const now: Looked = { step: event.step, rows: evaluationRows(event) };
    const [then] = looked;
    const facts = then && windowFacts(then, now, settings);
    if (facts?.gold && settings.divergenceRule === 'significant') {
      const { n_tasks, level, can_decide } = facts.test;
      power = { n_tasks, level, can_decide };
    }
    const [proxy, gold] = [meanScore(now.rows, 'proxy'), meanScore(now.rows, 'gold')];
    const scans = scanBuffers(buffers, settings);
    lastScan = scans.find(({ scan }) => scan.regime === 'reward_hack') ?? scans.at(-1) ?? lastScan;
    const hadGold = history.some((entry) => entry.gold !== null);
    const raised = [
      ...drift(kl, settings),
      ...feature(scans),
      ...(facts ? [...divergence(facts, settings), ...lengthAlarm(facts, settings)] : []),
      ...blind({ kl, proxy, gold, hadGold, scans, facts }, settings),
    ];
    const entry: HistoryEntry = {
      type: 'history',
      run_id: event.run_id,
      step: event.step,
      n: now.rows.length,
      proxy: finiteOrNull(proxy),
      gold: finiteOrNull(gold),
      length: finiteOrNull(meanLength(now.rows)),
      kl: finiteOrNull(kl),
      ...(facts && { length_growth: facts.length_growth }),
      ...(facts?.gold && {
        gold_vs_window: {
          delta: facts.gold.delta,
          ci95: facts.gold.ci95 && [...facts.gold.ci95],
          verdict: facts.gold.verdict,
        },
      }),
      rows: now.rows,
    };
    remember(entry);
    const told = raised.map(
      (one: Raised): Alarm => ({ type: 'alarm', run_id: event.run_id, step: event.step, ...one }),
    );
    for (const alarm of told) note(alarm);
    return [entry, ...told];
  };

  return {
    add(event) {
      if (event.type === 'scored') keepScored(buffers, event, settings.buffer);
      else if (event.type === 'log') kl = event.kl === undefined ? kl : loggedNumber(event.kl);
      else if (event.type === 'eval') return evaluate(event);
      else if (event.type === 'history') {
        kl = event.kl ?? kl; // the last that was logged then
        remember(event);
      } else if (event.type === 'alarm') note(event);
      return [];
    },
    summary: () => ({
      n_evals: history.length,
      every: settings.every,
      k: settings.k,
      window: settings.window,
      delta: settings.delta,
      length_pct: settings.lengthPct,
      kl_budget: settings.klBudget,
      endorsed: settings.endorsed,
      stop_on: [...settings.stopOn].sort(),
      history: [...history],
      alarms: [...alarms],
      notices: [...notices],
      buffer_size: [...buffers.values()].reduce((sum, rows) => sum + rows.length, 0),
      last_scan: lastScan ? { reward_name: lastScan.name, ...scanFields(lastScan.scan) } : null,
      stopped_at: stoppedAt ?? null,
      power,
    }),
  };
}

function stopsRun({ kind }: Alarm, { stopOn }: MonitorSettings): boolean {
  return kind !== 'blind' && (stopOn.includes('any') || stopOn.includes(kind));
}

export interface MonitorSummary {
  readonly n_evals: number;
  readonly every: number;
  readonly k: number;
  readonly window: number;
  readonly delta: number;
  readonly length_pct: number;
  readonly kl_budget: number | null;
  readonly endorsed: readonly string[];
  readonly stop_on: readonly string[];
  readonly history: readonly HistoryFigures[];
  readonly alarms: readonly Alarm[];
  /** What could not be watched, when: nothing of it stops a run. */
  readonly notices: readonly Alarm[];
  /** Scored completions that are kept. */
  readonly buffer_size: number;
  readonly last_scan: ({ readonly reward_name: string } & ReturnType<typeof scanFields>) | null;
  readonly stopped_at: Alarm | null;
  /** Whether the last comparison had asks enough to show a divergence at its level; null before one, and without gold. */
  readonly power: Pick<GainTest, 'n_tasks' | 'level' | 'can_decide'> | null;
}
