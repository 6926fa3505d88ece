import { createHash } from 'node:crypto';
import { stringifyJson } from '../core/json.ts';
import { type Row, rowSchema } from '../rows/row.ts';
import { fieldsOf, type JsonObject, present, written } from './fields.ts';

/** Where a row was read. */
export interface Place {
  /** Base name of the file, or `stdin`. */
  readonly source_file: string;
  /** Name of the format. */
  readonly format: string;
}

/** What makes two rollouts two: all that happened, and the conversation it happened in. */
const storyNames = ['prompt', 'opener', 'steps', 'final_text', 'conversation_id'];
const hex12 = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
const isThere = (value: unknown) => value !== undefined && value !== null && value !== '';

/**
 * Give the rows of one file their identity and say where they came from. A row keeps the ids it has; the others get the
 * task id of the row schema (the file's own task id, else a hash of the prompt), the index of their repeat among the
 * file's rows of that task, and a rollout id over task, index, model and all that happened. The same file read again,
 * whatever its name, gives the same ids. Memory: one counter a task.
 *
 * @source house rule
 */
export function stamper(place: Place): (fields: JsonObject, record: number, notNumbers?: number) => Row | undefined {
  const repeats = new Map<string, number>();
  return (fields, record, notNumbers = 0) => {
    const story = stringifyJson(storyNames.map((name) => fields[name] ?? null));
    const scenario = scenarioOf(fields, story);
    const nth = repeats.get(scenario) ?? 0;
    repeats.set(scenario, nth + 1);
    const index = isThere(fields['rollout_index']) ? Number(fields['rollout_index']) : nth;
    const model = written(fields['model_version'] ?? '');
    const row = present({
      schema_version: '1',
      ...fields,
      scenario_id: scenario,
      rollout_index: index,
      rollout_id: isThere(fields['rollout_id'])
        ? written(fields['rollout_id'])
        : hex12([scenario, index, model, story].join('|')),
      source_file: fields['source_file'] ?? place.source_file,
      lineage: {
        source: place.format,
        source_file: place.source_file,
        record,
        ...(notNumbers > 0 ? { not_numbers: notNumbers } : {}), // NaN and Infinity in the record, read as null
        ...fieldsOf(fields['lineage']),
      },
    });
    const parsed = rowSchema.safeParse(row);
    return parsed.success ? parsed.data : undefined;
  };
}

function scenarioOf(fields: JsonObject, story: string): string {
  const { scenario_id, task_id, prompt } = fields;
  if (isThere(scenario_id)) return written(scenario_id);
  if (isThere(task_id)) return written(task_id);
  return `task_${hex12(isThere(prompt) ? written(prompt) : story)}`; // rows without a prompt are no one task
}
