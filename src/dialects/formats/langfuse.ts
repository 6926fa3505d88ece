import { stringifyJson } from '../../core/json.ts';
import { rewardOf } from '../../rows/trace-row.ts';
import { fieldsOf, firstOf, isObject, type JsonObject, listOf, numberOf, present, textOf } from '../fields.ts';
import { type FileFormat, type Finding, rejected } from '../format.ts';
import { containerOf } from '../json-text.ts';
import { itemsOfMessages } from '../message-items.ts';
import { payloadOf } from '../payload.ts';
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
    const all = listOf(observations).filter(isObject);
    const called = calledIn(all);
    const found = rowsOf(all.map((one) => spanOf(one, trace, called)));
    const reported = reportedUsage(all);
    const markers = markersOf(listOf(trace['scores'] ?? (value as JsonObject)['scores']));
    return found.length === 0
      ? rejected('empty_conversation', value)
      : found.map((one) => withFacts(one, { trace, markers, reported }));
  },
};

/** An observation as a flat span: what its own SDK wrote as attributes, and what Langfuse made of it. */
function spanOf(observation: JsonObject, trace: JsonObject, called: ReadonlySet<unknown>): JsonObject {
  const { id, traceId, parentObservationId, name, startTime, endTime, type, level } = observation;
  const metadata = fieldsOf(containerOf(observation['metadata']));
  const usage = usageOf(observation);
  // a SPAN is what everything is that says no more: its own attributes may know better, or a model that called it by its name
  const kind = type === 'SPAN' ? (called.has(name) ? 'tool' : undefined) : textOf(type)?.toLowerCase();
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
      'langfuse.observation.type': kind,
      'langfuse.observation.input': observation['input'] ?? undefined,
      'langfuse.observation.output': observation['output'] ?? undefined,
      'langfuse.observation.model.name': textOf(observation['model']),
      'langfuse.observation.usage_details': usage && stringifyJson(usage),
      'langfuse.observation.level': textOf(level),
      'langfuse.observation.status_message': textOf(observation['statusMessage']),
    }),
  };
}

/** Names of the tools that models called. */
function calledIn(observations: readonly JsonObject[]): ReadonlySet<unknown> {
  const answers = observations.filter(({ type }) => type === 'GENERATION').map(({ output }) => output);
  const items = answers.flatMap((one) => itemsOfMessages(payloadOf(one, 'assistant').messages, 'assistant'));
  return new Set(items.flatMap((item) => (item.kind === 'call' ? [item.name] : [])));
}

/** Tokens of an observation: as newer versions write them, else as older ones, whose unit may be another than tokens. */
function usageOf(observation: JsonObject): JsonObject | undefined {
  const details = containerOf(observation['usageDetails'] ?? observation['usage_details']);
  if (isObject(details) && Object.keys(details).length > 0) return details;
  const usage = fieldsOf(containerOf(observation['usage']));
  if ((usage['unit'] ?? 'TOKENS') !== 'TOKENS') return undefined;
  const input = numberOf(firstOf(usage, inputNames) ?? observation['promptTokens']);
  const output = numberOf(firstOf(usage, outputNames) ?? observation['completionTokens']);
  return input === undefined && output === undefined ? undefined : present({ input, output });
}

const inputNames = ['input', 'promptTokens', 'prompt_tokens'];
const outputNames = ['output', 'completionTokens', 'completion_tokens'];

/** Scores are opinions of named evaluators; only one that is called reward is the reward of the run. */
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
  const details = used.map((one) => fieldsOf(usageOf(one)));
  const sum = (name: string) => details.reduce((total, one) => total + (numberOf(one[name]) ?? 0), 0);
  return { input_tokens: sum('input'), output_tokens: sum('output') };
}

interface Facts {
  readonly trace: JsonObject;
  readonly markers: JsonObject | undefined;
  readonly reported: JsonObject;
}

function withFacts(found: Finding, { trace, markers, reported }: Facts): Finding {
  if (found.kind !== 'row') return found;
  const { usage } = found.row;
  const reward = rewardOf(markers?.['reward']);
  const differs = isObject(usage) && usage['input_tokens'] !== reported['input_tokens'];
  return {
    kind: 'row',
    row: {
      ...found.row,
      ...(markers ? { markers: { ...fieldsOf(found.row['markers']), ...markers } } : {}),
      ...present({ reward, release: textOf(trace['release']), version: textOf(trace['version']) }),
      ...(differs ? { usage_reported: reported } : {}),
    },
  };
}
