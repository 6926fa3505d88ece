import type { OperatorCounts } from '../core/counters.ts';
import { stringifyJson } from '../core/json.ts';
import type { RunRecord } from '../rows/run-record.ts';
import type { WorkerFigures } from '../rows/worker-figures.ts';
import { createSender, type Outgoing } from '../sinks/kafka-sender.ts';
import type { KafkaBus } from '../sources/kafka-bus.ts';
import { schemaMajor, topicName } from './topics.ts';

/** What lies beside the rows of every pipeline, for those who watch. */
type Side =
  | { readonly kind: 'runs'; readonly row: RunRecord }
  | { readonly kind: 'metrics'; readonly row: WorkerFigures };

function recordOf(prefix: string, { kind, row }: Side): Outgoing {
  const id = String(kind === 'runs' ? row.run_id : row.worker);
  return {
    topic: topicName(prefix, kind),
    key: id,
    value: stringifyJson(row),
    headers: {
      'tm-id': id,
      'tm-schema': `${kind}/${schemaMajor}`,
      'tm-stage': 'run',
      'content-type': 'application/json',
    },
  };
}

/**
 * Write to the topic `runs` what a run is, or how it ended.
 *
 * @throws TM_SINK - retriable when the broker is away or moving
 */
export async function tellRun(run: RunRecord, { producer }: Pick<KafkaBus, 'producer'>): Promise<void> {
  const sender = createSender({ producer, maxSendBytes: 900_000 });
  await sender.send([recordOf(run.prefix, { kind: 'runs', row: run })]);
  await sender.close();
}

interface Telling {
  readonly bus: Pick<KafkaBus, 'producer'>;
  readonly prefix: string;
  readonly pipeline: string;
  /** Host and process. */
  readonly worker: string;
  readonly snapshot: () => readonly OperatorCounts[];
  readonly everyMs?: number;
}

const lastWordMs = 2000;

/**
 * Write to the topic `metrics` what this process does, once a second, and by `end` how it ended. Figures are of the moment:
 * where the broker is away some are left out, and the work goes on.
 */
export function tellFigures({ bus, prefix, pipeline, worker, snapshot, everyMs = 1000 }: Telling) {
  const sender = createSender({ producer: bus.producer, maxSendBytes: 900_000 });
  let sending: Promise<void> | undefined;
  const send = (state: WorkerFigures['state'], reason?: string): Promise<void> => {
    const at = new Date().toISOString();
    const row = { worker, pipeline, at, state, ...(reason !== undefined && { reason }), operators: [...snapshot()] };
    return sender.send([recordOf(prefix, { kind: 'metrics', row })]).catch(() => {}); // a second later there are others
  };
  const timer = setInterval(() => {
    sending ??= send('running').finally(() => {
      sending = undefined;
    });
  }, everyMs);
  timer.unref();
  return {
    async end(state: WorkerFigures['state'], reason?: string): Promise<void> {
      clearInterval(timer);
      const last = async (): Promise<void> => {
        await sending;
        await send(state, reason);
        await sender.close();
      };
      await Promise.race([
        last().catch(() => {}),
        new Promise<void>((resolve) => setTimeout(resolve, lastWordMs).unref()),
      ]);
    },
  };
}
