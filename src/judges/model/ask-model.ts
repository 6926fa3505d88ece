import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import type { ChatModel, ChatReply } from '../../models/chat-model.ts';
import type { Row } from '../../rows/row.ts';
import { spokenOf } from '../../rows/spoken.ts';
import { rowKey } from '../../rows/task-key.ts';
import { lastObject } from './last-object.ts';

/** What a judge asks its model about one row. */
export interface Question {
  readonly system: string;
  readonly user: string;
  readonly maxTokens: number;
  /** Tells equal questions apart: the row, the order, the vote. */
  readonly repeat: readonly unknown[];
}

/** The model's answer: its last JSON object, or a verdict that says why there is none. */
export type Answer =
  | { readonly object: JsonObject; readonly raw: string }
  | { readonly unread: JsonObject & { readonly reward: null }; readonly raw: string };

const maxRaw = 4000;

const alone = 2000; // ms; a row's clock runs while it waits for the first

/**
 * Ask a model and read its last JSON object. The first call of a judge goes alone for two seconds: a host may have to load
 * the model. The others then go, too, as a row that was never asked must not time out for it.
 */
export function modelAsker(model: ChatModel): (question: Question, signal: AbortSignal) => Promise<Answer> {
  let first: Promise<unknown> | undefined;
  return async ({ system, user, maxTokens, repeat }, signal) => {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ] as const;
    const ask = () => model.chat({ messages, temperature: 0, maxTokens, repeat }, signal);
    if (first !== undefined) await first;
    const asked = ask();
    first ??= Promise.race([asked.catch(() => undefined), wait(alone, undefined, { ref: false })]); // whoever asked is told of a failure
    return answerOf(await asked);
  };
}

function answerOf(reply: ChatReply): Answer {
  const raw = reply.text.slice(0, maxRaw);
  if (reply.isRefusal) return unreadable('the judge declined to answer', raw);
  const object = lastObject(spokenOf(reply.text).text);
  if (object) return { object, raw };
  return unreadable(reply.finish === 'length' ? 'the answer was cut before its verdict' : 'no JSON object', raw);
}

/** An answer that is no verdict: no reward, what was said is kept. */
export const unreadable = (unreadable: string, raw: string) => ({
  unread: { reward: null, judge_status: 'invalid_result', unreadable, raw },
  raw,
});

/** Name a prompt by what it says: 12 hex digits of its SHA-256. */
export const promptHash = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\u001f')).digest('hex').slice(0, 12);

/** What tells the questions about rows apart. A judge that is asked again on purpose is given another `judge_vote`. */
export function rowRepeat(row: Row): readonly unknown[] {
  const vote = isObject(row.lineage) ? row.lineage['judge_vote'] : undefined;
  return ['judge', rowKey(row), ...(vote === undefined ? [] : [vote])];
}

/** The reason of a verdict: text, at most 1,000 characters. */
export const reasonIn = (object: JsonObject): string =>
  typeof object['reason'] === 'string' ? object['reason'].slice(0, 1000) : '';
