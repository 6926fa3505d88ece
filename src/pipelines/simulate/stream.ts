import { defer, from, mergeMap, type Observable } from 'rxjs';
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

/** Simulate as `simulate` does, and see each row as soon as it is done: in the order in which rollouts end. */
export function simulateStream(options: SimulateOptions, ports: StreamPorts = {}): Observable<Row> {
  return defer(() => from(planSimulation(options, ports))).pipe(
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
