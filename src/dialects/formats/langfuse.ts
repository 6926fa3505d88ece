import { stringifyJson } from '../../core/json.ts';
import { fieldsOf, isObject, type JsonObject, listOf, numberOf, present, textOf } from '../fields.ts';
import { type FileFormat, type Finding, rejected } from '../format.ts';
import { containerOf } from '../json-text.ts';
import { rowsOf } from './spans.ts';

const isExport = (value: unknown) =>
  isObject(value) &&
  Array.isArray(value['observations']) &&
  (isObject(value['trace']) || value['observations'].some((one) => isObject(one) && 'parentObservationId' in one));

/** Trace exports of Langfuse: a trace and its observations, read as the spans they are. */
export const langfuse: FileFormat = {
  name: 'langfuse',
  unit: 'record',
  detect: ({ first }) => isExport(first),
  read(value) {
    if (!isExport(value)) return rejected('invalid_record', value);
    const { trace: outer, observations } = value as JsonObject;
    const trace = isObject(outer) ? outer : (value as JsonObject);
    const found = rowsOf(
      listOf(observations)
        .filter(isObject)
        .map((one) => spanOf(one, trace)),
    );
    const reported = reportedUsage(listOf(observations));
    const markers = markersOf(listOf(trace['scores'] ?? (value as JsonObject)['scores']));
    return found.length === 0
      ? rejected('empty_conversation', value)
      : found.map((one) => withFacts(one, markers, reported));
  },
};

/** An observation as a flat span: what its own SDK wrote as attributes, and what Langfuse made of it. */
function spanOf(observation: JsonObject, trace: JsonObject): JsonObject {
  const { id, traceId, parentObservationId, name, startTime, endTime, type, level } = observation;
  const metadata = fieldsOf(containerOf(observation['metadata']));
  const usage = containerOf(observation['usageDetails'] ?? observation['usage_details']);
  return {
    traceId: traceId ?? trace['id'],
    spanId: id,
    parentSpanId: parentObservationId,
    name,
    startTime,
    endTime: endTime ?? startTime,
    attributes: present({
      ...fieldsOf(containerOf(metadata['attributes'])),
      'session.id': textOf(trace['sessionId']),
      // a SPAN is what everything is that says no more: its own attributes may know better
      'langfuse.observation.type': type === 'SPAN' ? undefined : textOf(type)?.toLowerCase(),
      'langfuse.observation.input': observation['input'] ?? undefined,
      'langfuse.observation.output': observation['output'] ?? undefined,
      'langfuse.observation.model.name': textOf(observation['model']),
      'langfuse.observation.usage_details':
        isObject(usage) && Object.keys(usage).length > 0 ? stringifyJson(usage) : undefined,
      'langfuse.observation.level': textOf(level),
      'langfuse.observation.status_message': textOf(observation['statusMessage']),
    }),
  };
}

/** Scores are opinions of named evaluators, never the reward of the run. */
function markersOf(scores: readonly unknown[]): JsonObject | undefined {
  const named = scores.flatMap((score) => {
    const { name, value } = fieldsOf(score);
    const number = numberOf(value);
    return typeof name === 'string' && number !== undefined ? [[name, number] as const] : [];
  });
  return named.length > 0 ? Object.fromEntries(named) : undefined;
}

/** The sum Langfuse itself reports: over all generations, nested ones counted again. */
function reportedUsage(observations: readonly unknown[]): JsonObject {
  const used = observations.map(fieldsOf).filter(({ type }) => type === 'GENERATION');
  const details = used.map((one) => fieldsOf(containerOf(one['usageDetails'] ?? one['usage_details'])));
  const sum = (name: string) => details.reduce((total, one) => total + (numberOf(one[name]) ?? 0), 0);
  return { input_tokens: sum('input'), output_tokens: sum('output') };
}

function withFacts(found: Finding, markers: JsonObject | undefined, reported: JsonObject): Finding {
  if (found.kind !== 'row') return found;
  const { usage } = found.row;
  const differs = isObject(usage) && usage['input_tokens'] !== reported['input_tokens'];
  return {
    kind: 'row',
    row: {
      ...found.row,
      ...(markers ? { markers: { ...fieldsOf(found.row['markers']), ...markers } } : {}),
      ...(differs ? { usage_reported: reported } : {}),
    },
  };
}
