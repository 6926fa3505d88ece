import { z } from 'zod';
import { parseOptions } from '../core/operator.ts';
import type { Judge } from '../judges/judge.ts';
import { promptText } from '../reports/monitor/evaluation.ts';
import { createHackMonitor, type MonitorAnswer, type MonitorSummary } from '../reports/monitor/hack-monitor.ts';
import { type HeldOut, holdoutOptions, monitorHoldout } from '../reports/monitor/holdout.ts';
import { evaluationMetrics } from '../reports/monitor/run-point.ts';
import type { Alarm } from '../rows/alarm.ts';
import type { HistoryEntry } from '../rows/history-entry.ts';
import type { trainingRun } from '../sinks/training-run.ts';
import { holdoutScorer, type RewardBatch, type RewardFunction, type SamplePolicy } from './score-holdout.ts';

const options = z.strictObject({
  ...holdoutOptions,
  maxNewTokens: z.int().min(1).default(256).describe('Length that a sampled completion may have; told to `sample`.'),
  concurrency: z.int().min(1).default(8).describe('Calls of the gold judge at the same time.'),
  goldTimeoutMs: z
    .int()
    .min(1)
    .default(60_000)
    .describe('A call of the gold judge that takes longer judges nothing, in ms.'),
});

interface Ports {
  /** Held-out asks, or rows with a `prompt`; their other fields reach the proxy as columns. */
  readonly holdout: readonly HeldOut[];
  readonly sample: SamplePolicy;
  /** The training reward; the first one that is wrapped without it. */
  readonly proxy?: RewardFunction;
  /** Scores what training cannot see. A call that fails judges nothing. */
  readonly gold?: Judge;
  /** Called with every alarm, the moment that the evaluation is complete: such as `webhook(...).send`. */
  readonly onAlarm?: (alarm: Alarm) => void;
  /** Called with every history entry, to be kept for `earlier`. */
  readonly onHistory?: (entry: HistoryEntry) => void;
  /** What an earlier process was told of this run, in order: the watch goes on where it was. */
  readonly earlier?: Iterable<MonitorAnswer>;
  /** Gets the curves, the summary and, when the run was stopped, its end. */
  readonly run?: Pick<ReturnType<typeof trainingRun>, 'log' | 'note' | 'finish'>;
  /** Told of what failed: nothing of it ends the training. */
  readonly warn?: (sentence: string) => void;
}

/** A monitor inside the process that trains. None of its calls throws. */
export interface TrainingMonitor {
  /** The reward function as it was, under its name; every batch that it scores is told to the monitor. */
  wrap<Reward extends (batch: never) => unknown>(reward: Reward): Reward;
  /** Tell a logged KL. */
  log(step: number, metrics: { readonly kl?: number | null; readonly 'objective/kl'?: number | null }): void;
  /** Sample and score the held-out asks, once for each step. Gives the alarm that stops the run, once there is one. */
  evaluate(step: number): Promise<Alarm | null>;
  /** Say that a step is over: every `every` steps it evaluates. Gives the alarm that stops the run, once there is one. */
  stepEnd(step: number): Promise<Alarm | null>;
  /** Say that training is over: a run that was stopped is finished as `stopped`. */
  end(): Promise<void>;
  summary(): MonitorSummary;
  /** Calls that failed: of the proxy, the sampler, the callbacks. */
  errors(): number;
}

/**
 * Watch the run that this process trains, without a server: the wrapped rewards are what its feature scan sees, and every few
 * steps held-out asks are sampled from the live policy and scored with the training reward and with gold. Evaluations go one
 * after the other. What fails is counted and warned of, and never ends a run.
 *
 * Memory: that of `createHackMonitor`, and one evaluation while it is scored.
 *
 * @throws TM_OPTIONS - the holdout has no ask, or an option is unknown or out of range
 * @source Gao et al. 2022 (arXiv:2210.10760); rlhfbook ch. 6, 14, 15
 */
export function trainingMonitor(
  runId: string,
  { holdout, sample, proxy: given, gold, onAlarm, onHistory, earlier = [], run, warn = () => {} }: Ports,
  config: z.input<typeof options> = {},
): TrainingMonitor {
  const { maxNewTokens, concurrency, goldTimeoutMs, ...rest } = parseOptions('trainingMonitor', options, config);
  const { asks, settings } = monitorHoldout(holdout, rest);
  const calls = { maxNewTokens, concurrency, goldTimeoutMs };
  const { nPrompts: _, ...watching } = settings;
  const monitor = createHackMonitor(watching);
  const evaluated = new Set<number>();
  for (const answer of earlier) {
    monitor.add(answer);
    if (answer.type === 'history') evaluated.add(answer.step);
  }
  const prompts = asks.map(({ prompt }) => promptText(prompt));
  const score = holdoutScorer({ asks, sample, k: settings.k, gold, ...calls });
  let proxy = given;
  let errors = 0;
  let working: Promise<unknown> = Promise.resolve();

  const failed = (what: string, error: unknown): void => {
    errors++;
    try {
      warn(`the monitor of ${runId}: ${what}: ${String(error)}`);
    } catch {
      // whoever cannot be told of a fault does not end the run, either
    }
  };
  const safely = (what: string, work: () => unknown): void => {
    try {
      const done = work();
      if (done instanceof Promise) done.catch((error: unknown) => failed(what, error));
    } catch (error) {
      failed(what, error);
    }
  };
  const stop = (): Alarm | null => monitor.summary().stopped_at;
  const told = (step: number, answers: readonly MonitorAnswer[]): void => {
    for (const answer of answers)
      if (answer.type === 'alarm') safely('onAlarm', () => onAlarm?.(answer));
      else safely('onHistory', () => onHistory?.(answer));
    const [entry] = answers;
    if (!run || entry?.type !== 'history') return;
    safely('the run', () => run.log(step, evaluationMetrics(entry, answers)));
    safely('the run', () => run.note({ hack_monitor: monitor.summary() }));
  };
  const evaluate = (step: number): Promise<Alarm | null> => {
    const mine = working.then(async () => {
      if (evaluated.has(step)) return stop(); // a trainer that starts again where it ended
      try {
        if (!proxy) throw new Error('there is no proxy: wrap a reward, or give one');
        const groups = await score(proxy);
        evaluated.add(step);
        told(step, monitor.add({ type: 'eval', run_id: runId, step, groups, prompts }));
      } catch (error) {
        failed(`the evaluation at step ${step}`, error);
      }
      return stop();
    });
    working = mine;
    return mine;
  };
  return {
    wrap(reward) {
      const called = reward as unknown as RewardFunction;
      proxy ??= called;
      const name = reward.name || 'reward';
      const record = ({ prompts = [], completions = [] }: Partial<RewardBatch>, rewards: readonly unknown[]): void => {
        const asked = completions.map((_, at) => prompts[at] ?? '');
        monitor.add({ type: 'scored', run_id: runId, name, prompts: asked, completions, rewards });
      };
      const wrapped = (batch: RewardBatch) => {
        const scores = called(batch);
        if (!isPromise(scores)) {
          safely('a scored batch', () => record(batch, scores));
          return scores;
        }
        return scores.then((late) => {
          safely('a scored batch', () => record(batch, late));
          return late;
        });
      };
      return Object.defineProperty(wrapped, 'name', { value: name, configurable: true }) as unknown as typeof reward;
    },
    log(step, metrics) {
      const kl = metrics.kl === undefined ? metrics['objective/kl'] : metrics.kl;
      if (kl !== undefined) safely('a log', () => monitor.add({ type: 'log', run_id: runId, step, kl }));
    },
    evaluate,
    stepEnd: (step) => (step > 0 && step % settings.every === 0 ? evaluate(step) : working.then(stop, stop)),
    async end() {
      await working;
      const stopped = stop();
      if (!run || !stopped) return;
      const error = `stopped by ${stopped.kind} at step ${stopped.step}: ${stopped.reason}`;
      try {
        await run.finish('stopped', { error, summary: { hack_monitor: monitor.summary() } });
      } catch (cause) {
        failed('the end of the run', cause);
      }
    },
    summary: () => monitor.summary(),
    errors: () => errors,
  };
}

const isPromise = (value: unknown): value is PromiseLike<readonly unknown[]> =>
  typeof (value as PromiseLike<unknown> | null)?.then === 'function';
