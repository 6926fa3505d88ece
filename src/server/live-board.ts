import type { Clock } from '../core/clock.ts';
import type { OperatorCounts } from '../core/counters.ts';
import { accumulate } from '../core/fold.ts';
import { createKeySet } from '../core/key-set.ts';
import { judgeAgreement } from '../judges/trust/judge-agreement.ts';
import { passAtFold } from '../reports/pass-at/index.ts';
import { type Alarm, alarmId } from '../rows/alarm.ts';
import { callsMade } from '../rows/calls-made.ts';
import { deliveryId } from '../rows/delivery-key.ts';
import { type HistoryEntry, type HistoryFigures, historyId } from '../rows/history-entry.ts';
import type { Row } from '../rows/row.ts';
import { rowKey } from '../rows/task-key.ts';
import { createBoard } from './board.ts';
import type { CoverageCell, LiveEvent, RunHead } from './live-events.ts';
import { newestRows } from './newest-rows.ts';
import { cellOf, rolloutHead } from './rollout-head.ts';
import { createStageWatch } from './stage-watch.ts';

const maxLabelled = 2000; // the newest labelled rows of a judge: 50 to 200 measure one (rlhfbook ch. 5)
const maxJudges = 20;
const rememberedRows = 1_000_000;

export type LiveBoard = ReturnType<typeof createLiveBoard>;

/**
 * Gather what a page shows from what happens: rows as they are graded, figures of workers, runs, evaluations, alarms. A row
 * that comes again is counted once. Intervals are measured when `tick` is called, not for each row.
 *
 * Memory: the board's limits, the newest rows, a hash for each of the last million rows, a few numbers for each task.
 */
export function createLiveBoard({ clock, stallMs = 60_000 }: { readonly clock: Clock; readonly stallMs?: number }) {
  const board = createBoard();
  const stages = createStageWatch({ stallMs });
  const newest = newestRows();
  const known = createKeySet(rememberedRows);
  const passes = accumulate(passAtFold());
  const labelled = new Map<string, Row[]>();
  const cells = new Map<string, CoverageCell>();
  const fresh = { rows: 0, judges: new Set<string>(), measured: 0, measureAt: 8 };
  const shown = new Map<string, string>();
  const broken = new Map<string, string>();
  let health = '[]';

  const cover = (row: Row): void => {
    const { tool = callsMade(row)[0]?.tool.slice(0, 80) ?? 'no tool', stance = 'unspecified' } = cellOf(row);
    const key = JSON.stringify([tool, stance]);
    const before = cells.get(key) ?? { tool, stance, n: 0, n_graded: 0, n_passed: 0 };
    const isGraded = typeof row.reward === 'number';
    const next = {
      ...before,
      n: before.n + 1,
      n_graded: before.n_graded + Number(isGraded),
      n_passed: before.n_passed + Number(isGraded && Number(row.reward) >= 1),
    };
    if (!cells.has(key) && cells.size >= 4000) return;
    cells.set(key, next);
    board.put('coverage', key, next);
  };
  const label = (row: Row): void => {
    if (typeof row.gold_reward !== 'number' || typeof row.reward !== 'number') return;
    const judge = (row.judge_name ?? 'judge').slice(0, 80);
    if (!labelled.has(judge) && labelled.size >= maxJudges) return;
    const rows = labelled.get(judge) ?? [];
    labelled.set(judge, rows);
    const { reward, gold_reward, scenario_id, task_id, prompt } = row;
    const place = scenario_id || task_id ? { scenario_id, task_id } : { prompt };
    rows.push({ reward, gold_reward, gold_kind: row['gold_kind'], ...place });
    if (rows.length > maxLabelled) rows.shift();
    fresh.judges.add(judge);
  };
  const measure = (): void => {
    const at = clock();
    if (fresh.rows > fresh.measured) {
      const { pass_at_1, ci95, n_groups, n_rows } = passes.end();
      const interval = ci95 === null ? null : ([ci95[0], ci95[1]] as [number, number]);
      board.put('pass', String(n_rows), { at_ms: at, pass_at_1, ci95: interval, n_tasks: n_groups, n_rows });
      fresh.measured = fresh.rows;
    }
    for (const judge_name of fresh.judges) {
      const { n, agreement, kappa, ci95 } = judgeAgreement(labelled.get(judge_name) ?? []);
      const interval = ci95 === null ? null : ([ci95[0], ci95[1]] as [number, number]);
      board.put('agreement', `${judge_name} ${at}`, { at_ms: at, judge_name, n, agreement, kappa, ci95: interval });
    }
    fresh.judges.clear();
  };
  const healthNow = (): LiveEvent['health'] => {
    const faults = stages.faults(clock()).map(({ stage, operator, worker, what, for_ms }) => {
      const where = `${stage === '' ? '' : `${stage}/`}${operator} of ${worker}`;
      return `${where} is ${what} for ${Math.round(for_ms / 1000)} s`;
    });
    const all = [...broken.values(), ...faults];
    return { is_ok: all.length === 0, faults: all };
  };

  return {
    board,
    stages,
    health: healthNow,
    rowText: newest.text,
    /** A rollout with its verdict, or without. */
    row(row: Row): void {
      newest.add(row);
      const name = deliveryId({ ...row, revision: 0 }); // a trace that is told again is the same rollout
      const isNew = known.add(`${name} ${row['run_index'] ?? ''}`);
      board.put('rollouts', rowKey(row), rolloutHead(row, clock()), isNew);
      if (!isNew) return;
      cover(row);
      passes.add(row);
      label(row);
      fresh.rows++;
      if (fresh.rows >= fresh.measureAt) {
        fresh.measureAt = Math.ceil(fresh.rows * 1.3); // rows of an earlier hour come at once: their curve is whole, too
        measure();
      }
    },
    figures(worker: string, at: number, operators: readonly OperatorCounts[], hasEnded = false): void {
      stages.take(worker, at, operators, hasEnded);
    },
    /** Say what of this server is broken, or by null that it is not any more: it is not healthy until then. */
    fault(name: string, what: string | null): void {
      if (what === null) broken.delete(name);
      else broken.set(name, what);
    },
    alarm(alarm: Alarm): void {
      board.put('alarms', alarmId(alarm), alarm);
    },
    history(entry: HistoryFigures | HistoryEntry): void {
      const { rows: _rows, ...figures } = entry as HistoryEntry;
      board.put('history', historyId(entry), figures);
    },
    run(head: RunHead): void {
      board.put('runs', head.run_id, head);
    },
    /** Measure what is new and tell it. Call it once a second or so. */
    tick(): void {
      const now = clock();
      for (const figures of stages.figures(now)) {
        const key = JSON.stringify([figures.stage, figures.operator]);
        const said = JSON.stringify({ ...figures, at_ms: 0 });
        if (shown.get(key) === said) continue;
        shown.set(key, said);
        board.put('stages', key, figures);
      }
      measure();
      const faults = JSON.stringify(healthNow().faults.map((fault) => fault.replace(/ for \d+ s$/, '')));
      if (faults !== health) board.touch();
      health = faults;
    },
  };
}
