import { jsonIn, stringifyJson } from '../core/json.ts';
import { gatheredFrom, headerText, type LogRecord, membersOf, type RecordHeaders } from '../core/record.ts';
import { deliveryId } from '../rows/delivery-key.ts';
import { type Group, groupSchema } from '../rows/group.ts';
import type { Outgoing } from '../sinks/kafka-sender.ts';

/**
 * The records to be sent for a dead letter: its own as it was, or the rollouts of a group that was not complete, each by
 * itself. None when the letter is cut, holds a part of a record, or does not say where it came from. `tm-attempt` is one higher, so that nobody takes
 * them for repeats.
 */
export function letterRecords({ key, value, headers }: LogRecord): readonly Outgoing[] {
  const topic = headerText(headers, 'dlq.topic');
  const isWhole = ['dlq.truncated', 'dlq.part'].every((name) => headerText(headers, name) !== 'true');
  if (topic === undefined || !isWhole) return [];
  const attempt = String(Number(headerText(headers, 'tm-attempt') ?? 1) + 1);
  const whole = { topic, key, value, headers: { ...without(headers, /^dlq\./), 'tm-attempt': attempt } };
  const from = gatheredFrom(headers);
  const group = headerText(headers, 'dlq.reason') === 'incomplete' && value ? groupOf(value) : undefined;
  if (from === undefined || group === undefined) return [whole];
  const others = without(whole.headers, /^tm-(?:members|gathered-from)$/);
  const ids = membersOf(headers);
  return group.rollouts.map((rollout, n) => ({
    topic: from,
    key,
    value: stringifyJson(rollout),
    headers: { ...others, 'tm-id': ids[n] ?? deliveryId(rollout), 'tm-schema': schemaOf(from) },
  }));
}

const without = (headers: RecordHeaders, names: RegExp): RecordHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));

function groupOf(value: Buffer): Group | undefined {
  return groupSchema.safeParse(jsonIn(value.toString('utf8'))).data; // none: another stage's group goes as it was
}

/** What `tm-schema` says on a topic of a pipeline: its kind and major version. */
const schemaOf = (topic: string): string => topic.replace(/^.*\.([^.]+)\.v(\d+)$/, '$1/$2');
