import { isObject, type JsonObject } from '../../../core/json-object.ts';
import { foldText } from '../../../text/fold.ts';
import { wordsOf } from '../../../text/words.ts';

/** One text of an evaluation, as words. */
export interface EvalText {
  readonly text: string;
  readonly words: readonly string[];
}

/** What an evaluation holds: its tasks, and the texts a training row must not repeat. */
export interface EvalSet {
  readonly n_rows: number;
  readonly tasks: ReadonlySet<string>;
  readonly texts: readonly EvalText[];
  readonly prompts: readonly { readonly text: string; readonly task: string | undefined }[];
}

/** Read the texts of evaluation rows: prompt, answer and reference of each, never what the agent replied. */
export function readEvalSet(sources: readonly unknown[]): EvalSet {
  const rows = sources.flatMap((source) => (Array.isArray(source) ? source : [source])).filter(isObject);
  const texts = new Map<string, EvalText>();
  for (const row of rows)
    for (const text of [row['prompt'], row['answer'], row['reference']]) {
      if (typeof text !== 'string' || text.trim() === '') continue;
      const key = sequenceOf(text);
      if (!texts.has(key)) texts.set(key, { text, words: wordsOf(text) });
    }
  const prompts = rows.flatMap((row) => {
    const text = row['prompt'];
    return typeof text === 'string' && text.trim() !== '' ? [{ text, task: taskOf(row) }] : [];
  });
  const tasks = new Set(rows.map(taskOf).filter((task) => task !== undefined));
  return { n_rows: rows.length, tasks, texts: [...texts.values()], prompts };
}

/** The id of a row's task; a row without one is matched by its words alone. */
export function taskOf(row: JsonObject): string | undefined {
  const id = row['scenario_id'] || row['task_id'];
  return id ? String(id) : undefined;
}

/** What makes two texts the same: their words in order, or the folded text where there are no words. */
export function sequenceOf(text: string): string {
  const words = wordsOf(text);
  return words.length > 0 ? words.join(' ') : `\u0000${foldText(text)}`;
}
