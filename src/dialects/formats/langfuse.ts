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
    const markers = markersOf(listOf(trace['scores'] ?? (value as JsonObject)['scores']));
    return found.length === 0 ? rejected('empty_conversation', value) : found.map((one) => withMarkers(one, markers));
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
      'langfuse.observation.type': textOf(type)?.toLowerCase(),
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

function withMarkers(found: Finding, markers: JsonObject | undefined): Finding {
  if (found.kind !== 'row' || !markers) return found;
  return { kind: 'row', row: { ...found.row, markers: { ...fieldsOf(found.row['markers']), ...markers } } };
}
