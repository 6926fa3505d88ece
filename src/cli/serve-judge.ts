import type { Hooks } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import type { Graded } from '../judges/apply-verdict.ts';
import { judgeFromSpec } from '../judges/from-spec.ts';
import { type RealtimeJudge, type RealtimeJudgeOptions, realtimeJudge } from '../pipelines/realtime-judge.ts';
import { withoutGold } from '../server/judge/graded-sink.ts';
import type { Io } from './io.ts';
import { alsoSpans } from './spans-out.ts';

interface Serving {
  readonly spec: string | undefined;
  readonly options: RealtimeJudgeOptions;
  readonly verdicts: Sink<Graded>;
  readonly hooks: Hooks;
}

/** The judge of a server, where one is named. Each judgment is a span, too, where the environment names an endpoint. */
export async function judgeService(
  { spec, options, verdicts, hooks }: Serving,
  io: Io,
): Promise<RealtimeJudge | undefined> {
  if (spec === undefined) return undefined;
  const judge = await judgeFromSpec(spec);
  const { graded = verdicts } = alsoSpans({ graded: verdicts as Sink<never> }, io) as { graded?: Sink<Graded> };
  return realtimeJudge(options, { judge, verdicts: graded, hooks, shown: withoutGold });
}
