import { stringifyJson } from '../../core/json.ts';
import { fieldsOf, firstOf, isObject, type JsonObject, listOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, rejected } from '../format.ts';
import { rowsOf } from './spans.ts';

const isBatch = (value: unknown) =>
  isObject(value) && (Array.isArray(value['post']) || Array.isArray(value['patch'])) && !('name' in value);
const isRun = (value: unknown) => isObject(value) && typeof value['run_type'] === 'string' && 'inputs' in value;

/** Runs of LangSmith: batches of created and patched runs, or runs as exported; read as the spans they are. */
export const langsmith: FileFormat = {
  name: 'langsmith',
  unit: 'file',
  detect: ({ values }) => values.some((value) => isBatch(value) || isRun(value)),
  read(values) {
    const runs = new Map<string, JsonObject>();
    for (const value of listOf(values)) for (const run of runsIn(value)) merge(runs, run);
    const found = rowsOf([...runs.values()].map(spanOf));
    return found.length === 0 ? rejected('empty_conversation', values) : found;
  },
};

function runsIn(value: unknown): JsonObject[] {
  const { post, patch } = fieldsOf(value);
  if (isBatch(value)) return [...listOf(post), ...listOf(patch)].filter(isObject);
  const nested = fieldsOf(value)['child_runs'];
  return isObject(value) ? [value, ...listOf(nested).flatMap(runsIn)] : [];
}

/** A patch fills in what the first record of its run did not know. */
function merge(runs: Map<string, JsonObject>, run: JsonObject): void {
  const id = written(run['id'] ?? `#${runs.size}`);
  const said = Object.entries(run).filter(([, value]) => value !== null && !isEmpty(value));
  runs.set(id, { ...(runs.get(id) ?? {}), ...Object.fromEntries(said) });
}

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

function spanOf(run: JsonObject): JsonObject {
  const metadata = fieldsOf(fieldsOf(run['extra'])['metadata']);
  const outputs = fieldsOf(run['outputs']);
  const usage = outputs['usage_metadata'] ?? fieldsOf(outputs['llm_output'])['token_usage'] ?? outputs['usage'];
  const model = textOf(firstOf(metadata, ['ls_model_name'])) ?? textOf(outputs['model']);
  return {
    traceId: run['trace_id'] ?? run['id'],
    spanId: run['id'],
    parentSpanId: run['parent_run_id'],
    name: run['name'],
    startTime: utc(run['start_time']),
    endTime: utc(run['end_time']),
    status: run['error'] ? { code: 2, message: written(run['error']) } : {},
    attributes: present({
      'langsmith.span.kind': textOf(run['run_type']),
      'gen_ai.prompt': run['inputs'] === undefined ? undefined : stringifyJson(run['inputs']),
      'gen_ai.completion': run['outputs'] === undefined ? undefined : stringifyJson(run['outputs']),
      'gen_ai.request.model': model,
      'langsmith.usage_metadata': usage === undefined ? undefined : stringifyJson(usage),
      ...Object.fromEntries(
        ['thread_id', 'session_id', 'conversation_id'].map((key) => [
          `langsmith.metadata.${key}`,
          textOf(metadata[key]),
        ]),
      ),
    }),
  };
}

/** A time without a zone is in UTC. */
const utc = (time: unknown) => (typeof time === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(time) ? `${time}Z` : time);
