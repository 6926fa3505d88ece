import { z } from 'zod';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { taskKey } from './task-key.ts';

const object = z.record(z.string(), z.unknown());

/** What judge and world may see and the policy never: the answer key. In memory only, it leaves through no sink. */
export const privilegedSchema = z.looseObject({
  principle: z.string().nullish(),
  hidden_state: object.nullish(),
  reference: z.unknown().optional(),
  rubric: object.nullish(),
});

export type Privileged = Readonly<z.output<typeof privilegedSchema>>;

/** The answer keys of one task, as they stand beside a run: on their own topic, or in a file only its owner can read. */
export const answerKeySchema = z.looseObject({
  task_key: z.string().describe('`scenario_id`, else `task_id`, else the prompt of the rows it belongs to.'),
  privileged: object.optional(),
  columns: object.optional().describe('Top-level answer columns that no row file carries.'),
});

export type AnswerKey = Readonly<z.output<typeof answerKeySchema>>;

/** Top-level columns that a verifier may read as gold and that leave no sink. */
const keyColumns = ['hidden_state', 'principle', 'reference', 'rubric'] as const;

/**
 * Split a row into what may leave and its answer key; the key is undefined when the row has none.
 *
 * @source house rule
 */
export function splitAnswerKey<T extends JsonObject>(row: T): { readonly row: T; readonly key: AnswerKey | undefined } {
  const columns = keyColumns.filter((column) => row[column] !== undefined && row[column] !== null);
  const { privileged } = row;
  const block = isObject(privileged) ? privileged : undefined;
  if (block === undefined && columns.length === 0) return { row, key: undefined };
  const hidden = new Set<string>(['privileged', ...columns]);
  const open = Object.fromEntries(Object.entries(row).filter(([key]) => !hidden.has(key))) as T; // every key of these is optional in a row
  const key = {
    task_key: taskKey(row),
    ...(block === undefined ? {} : { privileged: block }),
    ...(columns.length === 0 ? {} : { columns: Object.fromEntries(columns.map((column) => [column, row[column]])) }),
  };
  return { row: open, key };
}

/** Join a row with the answer key of its task. What the row has itself wins. */
export function joinAnswerKey<T extends JsonObject>(row: T, key: AnswerKey | undefined): T {
  if (key === undefined) return row;
  return { ...key.columns, ...(key.privileged ? { privileged: key.privileged } : {}), ...row };
}

/** Name the file of the answer keys beside a run's file. It is written with mode 0600. */
export const answerKeyPath = (out: string): string => `${out}.privileged.jsonl`;

/** The header of a record whose task has an answer key: it says that there is one, and nothing about it. */
export const answerKeyHeader = 'tm-answer-key';
