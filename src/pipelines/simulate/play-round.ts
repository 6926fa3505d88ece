import { from, lastValueFrom, toArray } from 'rxjs';
import type { Agent } from '../../agents/agent.ts';
import { hitLengthCap } from '../../agents/finish-reason.ts';
import type { RolloutWatch } from '../../agents/rollout-watch.ts';
import type { SimulatedUser } from '../../agents/simulated-user.ts';
import { TracemillError } from '../../core/errors.ts';
import type { Rejection } from '../../core/operator.ts';
import type { Landed } from '../../grid/planner/planner.ts';
import type { Judge } from '../../judges/judge.ts';
import { runJudge } from '../../judges/run-judge.ts';
import { world } from '../../operators/world.ts';
import type { Ask } from '../../rows/ask.ts';
import type { Row } from '../../rows/row.ts';
import type { Tool } from '../../rows/tool.ts';
import type { Execute } from '../../world/execute.ts';

export interface RoundPorts {
  readonly agent: Agent;
  readonly watch: RolloutWatch;
  readonly grader?: Judge | undefined;
  readonly execute?: Execute | undefined;
  readonly user?: ((ask: Ask) => SimulatedUser) | undefined;
}

export interface RoundOptions {
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly maxTries: number;
  readonly modelVersion?: string | undefined;
  readonly sampling?: Readonly<Record<string, unknown>> | undefined;
  /** Names the scoring run, so that a repeated run writes the same rows. */
  readonly scoringRunId: string;
}

/** Which place of the round a row came from; it is taken off again. */
const place = '_place';

/**
 * Make the player of rounds: every ask goes through the world and, with a grader, its row through the judge. What comes
 * back is in the order of the asks, however long each took.
 *
 * @throws TM_AUTH - a model host refused the key: no other rollout can succeed
 */
export function roundPlayer(
  options: RoundOptions,
  ports: RoundPorts,
): (asks: readonly Ask[]) => Promise<readonly Landed[]> {
  const { agent, watch, execute, user, grader } = ports;
  const config = {
    tools: [...options.tools],
    systemPrompt: options.systemPrompt,
    maxConcurrent: options.concurrency,
    timeoutMs: options.timeoutMs,
    maxTries: options.maxTries,
    ...(options.modelVersion !== undefined && { modelVersion: options.modelVersion }),
    ...(options.sampling !== undefined && { sampling: { ...options.sampling } }),
  };
  return async (asks) => {
    const refused: Rejection<unknown>[] = [];
    const play = world(
      config,
      { agent, watch, ...(execute && { execute }), ...(user && { user }) },
      { reject: (rejection) => void (rejection.reason === 'auth' && refused.push(rejection)) },
    );
    const placed = asks.map((ask, n) => ({ ...ask, [place]: n }));
    const rows = await lastValueFrom(from(placed).pipe(play, toArray()), { defaultValue: [] });
    const [first] = refused;
    if (first) throw new TracemillError('TM_AUTH', first.error ?? 'the host refused the key');
    const byPlace = new Map(rows.map((row) => [Number(row[place]), withoutPlace(row)]));
    const judged = grader ? await graded(byPlace, grader, options) : byPlace;
    return asks.map((ask, n) => {
      const row = judged.get(n);
      return row ? { ask, row, truncated: hitLengthCap(row) } : { ask };
    });
  };
}

function withoutPlace(row: Row): Row {
  const { [place]: _, ...rest } = row;
  return rest;
}

/** A reply that was cut short is never judged: its verdict would be about the cap. */
async function graded(
  rows: ReadonlyMap<number, Row>,
  judge: Judge,
  options: RoundOptions,
): Promise<ReadonlyMap<number, Row>> {
  const whole = [...rows].filter(([, row]) => !hitLengthCap(row));
  const verdicts = await runJudge(
    whole.map(([, row]) => row),
    judge,
    { concurrency: options.concurrency, timeoutMs: options.timeoutMs, runId: options.scoringRunId },
  );
  const byPlace = new Map(whole.map(([n], at) => [n, verdicts.rows[at]]));
  return new Map(
    [...rows].map(([n, row]) => [
      n,
      byPlace.get(n) ?? { ...row, reward: null, judge_status: 'missing_reward', judge_name: 'length_cap' },
    ]),
  );
}
