import { idOf } from '../../core/ids.ts';
import { runJudge } from '../../judges/run-judge.ts';
import { type SimulateOptions, simulateSettings } from './options.ts';
import { type PlayedRun, playRun } from './play-run.ts';
import { prepared, type SimulatePorts } from './prepare.ts';
import { resultOf, type SimulateResult } from './result.ts';

/**
 * Simulate an agent: situations from its tools and policy, an ask for each, rollouts against the mock world, verdicts
 * where a grader is given. All that is played is decided in rounds of fixed size before it is played, so the same seed
 * gives the same asks at any concurrency; only repeats depend on verdicts. Memory: the rows.
 *
 * @throws TM_OPTIONS - before anything runs; the message names the option
 * @throws TM_AUTH - a model host refused the key
 * @source rlhfbook ch. 6, 7, 12 and 13
 */
export async function simulate(options: SimulateOptions, ports: SimulatePorts = {}): Promise<SimulateResult> {
  const settings = simulateSettings(options);
  const run = await prepared(settings, ports);
  const results: PlayedRun[] = [];
  for (let n = 0; n < (run.pinned ? settings.runs : 1); n++) results.push(await playRun(run, settings, ports, n));
  const result = resultOf(run, settings, results);
  const { conduct } = ports;
  if (!conduct || settings.grade === false) return result;
  const scoring = { concurrency: settings.concurrency, runId: idOf(['conduct', settings.seed]) };
  return { ...result, rows: (await runJudge(result.rows, conduct, scoring)).rows };
}
