import type { KafkaMessage } from 'kafkajs';
import { jsonIn } from '../core/json.ts';
import { isObject } from '../core/json-object.ts';
import type { Context } from '../core/operator.ts';
import { headerText, type RecordHeaders } from '../core/record.ts';
import { type AnswerKey, answerKeyHeader, answerKeySchema, joinAnswerKey } from '../rows/privileged.ts';
import { taskKey } from '../rows/task-key.ts';
import { type FollowDeps, followTopic } from './kafka-follow.ts';
import type { DecodeRecord } from './kafka-partition.ts';

/** The answer keys of a pipeline, by task, as its privileged topic holds them. The latest of a task counts. */
export interface AnswerKeys {
  /** The key of a task that was read so far. */
  of(task: string): AnswerKey | undefined;
  /** Resolves when all keys are known that the topic had at the call. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Know the answer keys of a topic. Nothing is read before the first `caughtUp()`. Memory: each task's key.
 */
export function kafkaAnswerKeys(topic: string, deps: FollowDeps): AnswerKeys {
  const known = new Map<string, string | AnswerKey>(); // the text until it is asked for, which for most is many times
  const see = ({ key, value }: KafkaMessage): void => {
    const task = key?.toString('utf8') ?? '';
    if (value === null) known.delete(task);
    else known.set(task, value.toString('utf8'));
  };
  const followed = followTopic(topic, see, deps);
  return {
    of(task) {
      const found = known.get(task);
      if (typeof found !== 'string') return found;
      const { data } = answerKeySchema.safeParse(jsonIn(found));
      if (data) known.set(task, data);
      else known.delete(task); // not written by us: the task has no key, and its rows say so
      return data;
    },
    caughtUp: followed.caughtUp,
    close: followed.close,
  };
}

/** What a record waits for whose answer key was not read yet. The key is stored before any row that needs it. */
export const awaitsKey =
  (keys: AnswerKeys) =>
  ({ headers = {}, key }: KafkaMessage): Promise<void> | undefined =>
    hasKey(headers) && keys.of(String(key)) === undefined ? keys.caughtUp() : undefined;

/** Join each row that says so with the answer key of its task. */
export function joinsKey<Row>(keys: AnswerKeys, decode: DecodeRecord<Row>, context: Context): DecodeRecord<Row> {
  return (record, receipt) => {
    const item = decode(record, receipt);
    if (!item || !hasKey(record.headers) || !isObject(item.row)) return item;
    const key = keys.of(taskKey(item.row));
    if (key) return { row: joinAnswerKey(item.row, key), receipt };
    const advice = 'its task has an answer key that the privileged topic does not hold: send it again, then replay';
    context.reject({ row: item.row, receipt }, 'kafka', 'no_answer_key', advice);
    return undefined;
  };
}

const hasKey = (headers: RecordHeaders): boolean => headerText(headers, answerKeyHeader) !== undefined;
