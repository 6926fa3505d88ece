import { defer, from, mergeMap, type Observable } from 'rxjs';
import { TracemillError } from '../../core/errors.ts';
import type { Hooks } from '../../core/operator.ts';
import { stoppable } from '../../core/stoppable.ts';
import type { Row } from '../../rows/row.ts';
import { rowStream } from '../row-stream.ts';
import type { SimulateOptions } from './options.ts';
import { planSimulation } from './plan.ts';
import type { SimulatePorts } from './prepare.ts';

interface StreamPorts extends SimulatePorts {
  /** Ends the run in order. */
  readonly stop?: AbortSignal;
  readonly hooks?: Hooks;
}

/**
 * Simulate as `simulate` does, and see each row as soon as it is done: in the order in which rollouts end.
 *
 * @throws TM_OPTIONS - also for options that need all rows: `grade`, `llmGrade`, `advanced.embedder`
 */
export function simulateStream(options: SimulateOptions, ports: StreamPorts = {}): Observable<Row> {
  return defer(() => from(planSimulation(streamable(options), ports))).pipe(
    mergeMap(({ stages, source, kind, maxInFlight }) =>
      rowStream<Row>({
        stages,
        source: ports.stop ? stoppable(source, ports.stop) : source,
        kind,
        maxInFlight,
        ...(ports.hooks && { hooks: ports.hooks }),
      }),
    ),
  );
}

function streamable(options: SimulateOptions): SimulateOptions {
  const { grade = false, llmGrade = false, advanced } = options;
  const named = [
    ...(grade === false ? [] : ['grade']),
    ...(llmGrade ? ['llmGrade'] : []),
    ...((advanced?.embedder ?? 'hash') === 'hash' ? [] : ['embedder']),
  ];
  if (named.length === 0) return options;
  throw new TracemillError(
    'TM_OPTIONS',
    `simulateStream: ${named.join(', ')} is added when all rows have landed; use simulate, or a grader`,
  );
}
