import type { Sink } from '../core/to-sink.ts';
import { createSender, type Outgoing, type ProducerPort } from './kafka-sender.ts';

/**
 * Write records to the topics they name, byte for byte.
 *
 * @throws TM_SINK - retriable when the broker is away or moving
 */
export function kafkaRecords({ producer }: { readonly producer: () => ProducerPort }): Sink<Outgoing> {
  const sender = createSender({ producer, maxSendBytes: 900_000 });
  return { write: (records) => sender.send(records), close: sender.close };
}
