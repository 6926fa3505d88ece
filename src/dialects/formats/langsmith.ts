import { stringifyJson } from '../../core/json.ts';
import { fieldsOf, firstOf, isObject, type JsonObject, listOf, numberOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, rejected } from '../format.ts';
import { evaluationEvent } from '../otlp/span-view.ts';
import { payloadOf } from '../payload.ts';
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
  const usage = usageOf(run, outputs);
  const model = textOf(firstOf(metadata, ['ls_model_name'])) ?? textOf(outputs['model']);
  return {
    traceId: run['trace_id'] ?? run['id'],
    spanId: run['id'],
    parentSpanId: run['parent_run_id'],
    name: run['name'],
    startTime: utc(run['start_time']),
    endTime: utc(run['end_time']),
    status: run['error'] ? { code: 2, message: written(run['error']) } : {},
    events: verdictsOf(run['feedback_stats']),
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

/** Tokens of a run: what the model's answer says, else what LangSmith counted. Runs above models repeat what those report. */
function usageOf(run: JsonObject, outputs: JsonObject): unknown {
  const said = outputs['usage_metadata'] ?? fieldsOf(outputs['llm_output'])['token_usage'] ?? outputs['usage'];
  const { prompt_tokens, completion_tokens } = run;
  const counted = numberOf(prompt_tokens) ?? numberOf(completion_tokens);
  const messages = run['run_type'] === 'llm' ? payloadOf(outputs, 'assistant').messages.map(fieldsOf) : [];
  const metadata = messages.map(
    (one) => one['usage_metadata'] ?? fieldsOf(one['kwargs'] ?? one['data'])['usage_metadata'],
  );
  return (
    said ?? metadata.findLast(isObject) ?? (counted === undefined ? undefined : { prompt_tokens, completion_tokens })
  );
}

/** Feedback on a run, averaged by its key, as the verdicts it is; the one called reward is the reward. */
function verdictsOf(stats: unknown): readonly JsonObject[] {
  return Object.entries(fieldsOf(stats)).flatMap(([name, one]) => {
    const value = numberOf(fieldsOf(one)['avg']);
    if (value === undefined) return [];
    const said = { 'gen_ai.evaluation.name': name, 'gen_ai.evaluation.score.value': value };
    const reward = name === 'reward' ? { 'tracemill.reward': value } : {};
    return [{ name: evaluationEvent, attributes: { ...said, ...reward } }];
  });
}

/** A time without a zone is in UTC. */
const utc = (time: unknown) => (typeof time === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(time) ? `${time}Z` : time);
