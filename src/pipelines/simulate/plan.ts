import { type RolloutWatch, rolloutWatch } from '../../agents/rollout-watch.ts';
import { untilLate } from '../../agents/until-late.ts';
import { systemClock } from '../../core/clock.ts';
import { TracemillError } from '../../core/errors.ts';
import type { Source } from '../../core/source.ts';
import type { AnyStage } from '../../core/stage.ts';
import { coverageCurve } from '../../grid/coverage-curve.ts';
import type { Landed } from '../../grid/planner/planner.ts';
import type { Judge } from '../../judges/judge.ts';
import { JudgeWatch } from '../../judges/judge-watch.ts';
import type { Ask } from '../../rows/ask.ts';
import type { Row } from '../../rows/row.ts';
import type { Tool } from '../../rows/tool.ts';
import { decider, rolloutName } from '../../sources/decider.ts';
import { evaluateStages } from '../evaluate.ts';
import { afterRun } from './after-run.ts';
import { type SimulateOptions, type SimulateSettings, simulateSettings } from './options.ts';
import { plannedRuns } from './planned-runs.ts';
import { type Prepared, prepared, type SimulatePorts } from './prepare.ts';
import { resultOf, type SimulateResult } from './result.ts';
import { RunClock } from './run-clock.ts';
import { worldStage } from './world-stage.ts';

/** A simulation as it is set up: who decides, what plays and grades, and how to tell of it. */
export interface SimulationPlan {
  /** Gives the asks in rounds; it hears what came of them from the stages below. */
  readonly source: Source<Ask>;
  readonly stages: readonly AnyStage[];
  /** Kind of the rows that the last stage writes. */
  readonly kind: 'rollouts' | 'graded';
  readonly maxInFlight: number;
  readonly settings: SimulateSettings;
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
  /** Add to the rows what is only asked for when all have landed: a grade of conduct, a second opinion, meaning. */
  readonly after: <R extends SimulateResult>(result: R) => Promise<R>;
  /** What a row of this name said in an earlier, killed run: call it before the source is read. */
  remember(rows: Iterable<Row>): void;
  /** How far it is: seconds, what moves, what the writer wrote, where the search stands. */
  progress(): Readonly<Record<string, unknown>>;
  /** How the run went: the curve of its coverage, arms, times, and who played, wrote and graded. */
  figures(rows: readonly Row[]): Readonly<Record<string, unknown>>;
  /** Rows and figures, once the source has ended. */
  result(): SimulateResult;
}

/**
 * Set up a simulation: planner, search arms and allocator decide in one place, in rounds of fixed size; the stages play
 * and grade; verdicts feed back. Nothing is played before the source is read.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range, or there is no agent
 */
export async function planSimulation(options: SimulateOptions, ports: SimulatePorts = {}): Promise<SimulationPlan> {
  const settings = simulateSettings(options);
  const timing = new RunClock(systemClock);
  const run = timedWords(await prepared(settings, ports), timing);
  timing.settled();
  const runs = plannedRuns(run, settings);
  const kept: Landed[][] = runs.map(() => []);
  const earlier = new Map<string, Row>();
  const watch = rolloutWatch({ times: ports.times });
  const decide = decider({
    planners: runs.map(({ planner }) => planner),
    each(landed, nth) {
      const { keep } = ports;
      kept[nth]?.push(keep && landed.row ? { ...landed, row: keep(landed.row) } : landed);
      if (landed.row) ports.onRow?.(landed.row);
    },
    known(name) {
      const row = earlier.get(name);
      earlier.delete(name);
      return row && { row };
    },
    deadWord: (missed, rows) => deadWord(settings, watch, missed, rows),
    isLate: clockOf(settings, ports),
    hungMs: settings.reproducible ? Number.POSITIVE_INFINITY : settings.advanced.hungSlot * 1000,
  });
  const judge = (ports.judge ?? settings.grader ?? undefined) as Judge | undefined;
  const timeoutMs = Math.ceil(settings.timeout * 1000);
  const { concurrency, advanced } = settings;
  const stages = [
    worldStage(
      {
        tools: [...run.tools],
        systemPrompt: run.systemPrompt,
        maxConcurrent: concurrency,
        timeoutMs,
        maxTries: Math.max(2, run.k),
        ...(run.aim && { resultShapes: { ...run.aim.resultShapes } }),
        ...(advanced.modelVersion !== undefined && { modelVersion: advanced.modelVersion }),
        ...(settings.sampling && { sampling: { ...settings.sampling } }),
      },
      {
        agent: inTime(run.agent, settings),
        watch: telling(watch, decide, judge === undefined, timing),
        execute: settings.execute ?? undefined,
        user: run.user,
      },
    ),
    ...(judge
      ? evaluateStages(
          { maxConcurrent: concurrency, timeoutMs, skipsCut: true },
          { judge, watch: new TellingWatch((row) => decide.landed(row)) },
        )
      : []),
  ];
  return {
    source: decide.source,
    stages,
    kind: judge ? 'graded' : 'rollouts',
    maxInFlight: concurrency * 2,
    settings,
    tools: run.tools,
    systemPrompt: run.systemPrompt,
    after: (result) => afterRun(result, run.after, settings),
    remember(rows) {
      for (const row of rows) earlier.set(rolloutName(row, row.prompt), row);
    },
    progress() {
      const { calls, rows, rerolled, lost } = watch.counts();
      const current = runs[Math.min(decide.stopWords().length, runs.length - 1)];
      return {
        ...timing.timings(),
        inflight: calls - rows - rerolled - lost,
        unused: current?.prompts.waiting ?? 0,
        writers: { model: run.words.writerModel ?? 'template', ...run.words.counts },
        search: { situations: current?.prompts.opened ?? 0, arm_weights: current?.planner.state().weights ?? {} },
      };
    },
    figures(rows) {
      const { total_s } = timing.timings();
      const state = runs[0]?.planner.state();
      return {
        coverage_curve: coverageCurve(run.planned.situations, rows),
        arm_weights: state?.weights,
        arm_yield: state?.yields,
        elapsed_seconds: total_s,
        timings: timing.timings(),
        rows_by_minute: timing.rowsByMinute(),
        writer_model: run.words.writerModel ?? 'template',
        user_model: run.agent.userModel ?? null,
        judge_model: judge?.model ?? run.after.llm?.model ?? null,
        stages: stages.map(({ name }) => name),
      };
    },
    result: () =>
      resultOf(
        run,
        settings,
        runs.map((one, nth) => ({
          ...one,
          landed: kept[nth] ?? [],
          stopped_because: decide.stopWords()[nth] ?? 'stopped',
        })),
        watch.counts(),
      ),
  };
}

/** The same run; the time that its writer takes is taken down. */
function timedWords(run: Prepared, timing: RunClock): Prepared {
  const { write } = run.words;
  if (!write) return run;
  return { ...run, words: { ...run.words, write: (situations) => timing.writing(write(situations)) } };
}

/** Rollouts in flight have a few seconds when the clock ends. */
function inTime(agent: Parameters<typeof untilLate>[0], { timeBudget, advanced }: SimulateSettings) {
  if (!timeBudget || timeBudget <= 0) return agent;
  return untilLate(agent, AbortSignal.timeout(Math.ceil((timeBudget + advanced.stopGrace) * 1000)));
}

/** Hears of every rollout: rows that nobody will judge have landed, a refused key or a spent quota ends the run. */
function telling(
  watch: RolloutWatch,
  decide: Pick<ReturnType<typeof decider>, 'landed' | 'abort' | 'callOff'>,
  isLast: boolean,
  timing: RunClock,
): RolloutWatch {
  return {
    ...watch,
    unusable(reason, error, isLost) {
      watch.unusable(reason, error, isLost);
      if (reason === 'auth') decide.abort(new TracemillError('TM_AUTH', withoutCode(error)));
      if (reason === 'quota_exceeded') decide.callOff('agent_quota_exceeded');
    },
    landed(row, thoughts) {
      watch.landed(row, thoughts);
      timing.row();
      if (isLast) decide.landed(row);
    },
  };
}

const withoutCode = (error = 'the host refused the key') => error.replace(/^TM_\w+: /u, '');

class TellingWatch extends JudgeWatch {
  readonly #tell: (row: Row) => void;

  constructor(tell: (row: Row) => void) {
    super();
    this.#tell = tell;
  }

  override add(row: Row): void {
    this.#tell(row); // a simulation has its own words for tools that nobody called
  }
}

const leastTries = 16;

/** An agent that leaves no rows is called off early, whatever kind of nothing it leaves. */
function deadWord(
  { rows: budget }: SimulateSettings,
  watch: RolloutWatch,
  missed: number,
  rows: number,
): string | undefined {
  const { lost_by, lost, calls } = watch.counts();
  const tried = rows === 0 ? calls : missed;
  if (missed === 0 || tried < Math.max(leastTries, 2 * budget)) return undefined;
  return (lost_by['empty_reply'] ?? 0) > lost / 2 ? 'empty_replies' : 'agent_failed';
}

function clockOf({ timeBudget }: SimulateSettings, { clock = systemClock }: SimulatePorts): () => boolean {
  const started = clock();
  const limit = timeBudget && timeBudget > 0 ? timeBudget * 1000 : Number.POSITIVE_INFINITY;
  return () => clock() - started >= limit;
}
