import { canonicalJson } from '../core/canonical-json.ts';
import { stringifyJson } from '../core/json.ts';
import { isObject } from '../core/json-object.ts';
import { createKeySet } from '../core/key-set.ts';
import { type AnswerKey, splitAnswerKey } from '../rows/privileged.ts';
import { createSender, type Outgoing, type ProducerPort } from './kafka-sender.ts';

/** Stores the answer keys of rows, by task, before the rows themselves go anywhere. */
export interface AnswerKeySink {
  write(keys: readonly AnswerKey[]): Promise<void>;
  close(): Promise<void>;
}

interface Deps {
  /** Makes an idempotent producer: a new one is needed after every rejected send. */
  readonly producer: () => ProducerPort;
  /** A key of a task that the topic is known to hold. */
  readonly known?: (task: string) => AnswerKey | undefined;
}

const remembered = 100_000;

/**
 * Write answer keys to the privileged topic, one record a task. A key that this sink wrote, or that is known to be there, is
 * not written again. Memory: a hash for each of the last 100,000 keys.
 *
 * @throws TM_SINK - retriable when the broker is away or moving
 */
export function kafkaAnswerKeySink(topic: string, { producer, known = () => undefined }: Deps): AnswerKeySink {
  const sender = createSender({ producer, maxSendBytes: 900_000 });
  const written = createKeySet(remembered);
  return {
    async write(keys) {
      const news = new Map<string, Outgoing>();
      for (const key of keys) {
        const text = canonicalJson(key);
        const there = known(key.task_key);
        if (written.has(text) || (there !== undefined && canonicalJson(there) === text)) continue;
        news.set(text, { topic, key: key.task_key, value: stringifyJson(key), headers: {} });
      }
      if (news.size === 0) return;
      await sender.send([...news.values()]);
      for (const text of news.keys()) written.add(text); // only now: a batch that failed comes again
    },
    close: sender.close,
  };
}

/** Split what may lie on a topic of rows from the answer keys in it: those of a row, and those of the rollouts of a group. */
export function withoutKeys(row: unknown): { readonly open: unknown; readonly keys: readonly AnswerKey[] } {
  if (!isObject(row)) return { open: row, keys: [] };
  const { row: open, key } = splitAnswerKey(row);
  const own = key ? [key] : [];
  const { rollouts } = open;
  if (!Array.isArray(rollouts)) return { open, keys: own };
  const parts = rollouts.map((rollout: unknown) => withoutKeys(rollout));
  return {
    open: { ...open, rollouts: parts.map((part) => part.open) },
    keys: [...own, ...parts.flatMap(({ keys }) => keys)],
  };
}
