import { lastValueFrom } from 'rxjs';
import { type PassAt, passAt } from '../../reports/pass-at/index.ts';
import type { Row } from '../../rows/row.ts';
import { toModelTool } from '../../rows/tool.ts';
import { type ExportReport, exportDataset } from '../../sinks/training-set.ts';
import { inMemory } from '../in-memory.ts';
import type { SimulateOptions } from './options.ts';
import { outputOf } from './output.ts';
import { planSimulation } from './plan.ts';
import type { SimulatePorts } from './prepare.ts';
import type { SimulateResult } from './result.ts';

/** A run: its rows, how often the agent passed, what was covered, what did not go as asked. */
export interface SimulateRun extends SimulateResult {
  /** pass@1, pass^k and pass@k with their intervals; null figures where nothing was graded. */
  readonly passAt: PassAt;
  /** Rows with reward 1, rows with reward 0; a row without a verdict is in neither. */
  passes(): readonly Row[];
  failures(): readonly Row[];
  /** The failures, as what the next round is aimed with. */
  failedTraces(): readonly Row[];
  /** Write the rows as a training file, with the run's system prompt and tool schemas. */
  trainingSet(path: string, config?: Parameters<typeof exportDataset>[2]): Promise<ExportReport>;
}

/**
 * Simulate an agent: situations from its tools and policy, an ask for each, rollouts against the mock world, verdicts
 * where a grader is given. All that is played is decided in rounds of fixed size before it is played, so the same seed
 * gives the same asks at any concurrency; only repeats depend on verdicts. Memory: the rows.
 *
 * @throws TM_OPTIONS - before anything runs; the message names the option
 * @throws TM_AUTH - a model host refused the key
 * @source rlhfbook ch. 6, 7, 12 and 13
 */
export async function simulate(options: SimulateOptions, ports: SimulatePorts = {}): Promise<SimulateRun> {
  const plan = await planSimulation(options, ports);
  const { stages, source, kind, maxInFlight } = plan;
  const file = await outputOf(plan);
  const ends = { source, sinks: { [kind]: file?.sink ?? forgetting }, rejected: forgetting, maxInFlight };
  await lastValueFrom(inMemory(stages, ends), { defaultValue: undefined });
  const result = await plan.after(plan.result());
  const { rows } = result;
  await file?.finish(result);
  const ofReward = (reward: number) => () => rows.filter((row) => row.reward === reward);
  const about = {
    ...(plan.systemPrompt !== '' && { systemPrompt: plan.systemPrompt }),
    ...(plan.tools.length > 0 && { tools: plan.tools.map((tool) => ({ ...toModelTool(tool) })) }),
  };
  let measured: PassAt | undefined; // who only wants the rows does not wait for it
  return {
    ...result,
    get passAt() {
      measured ??= passAt(rows);
      return measured;
    },
    passes: ofReward(1),
    failures: ofReward(0),
    failedTraces: ofReward(0),
    trainingSet: (path, config) => exportDataset(rows, path, { ...about, ...config }),
  };
}

/** The decider has the rows: they need no other place. */
const forgetting = { write: async () => {}, close: async () => {} };
