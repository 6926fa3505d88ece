import { unzipSync } from 'fflate';
import { fileBounds, maxEntryBytes } from '../bounds.ts';
import { conversationFrom } from '../conversation.ts';
import { entryOf, fieldsOf, isObject, type JsonObject, listOf, numberOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, type Finding, rejected } from '../format.ts';
import { readJsonText } from '../json-text.ts';
import { itemsOfMessages } from '../message-items.ts';
import { finishReason } from '../otlp/span-facts.ts';
import { toolsOf } from '../tool-definition.ts';

const isLog = (value: unknown): value is JsonObject =>
  isObject(value) &&
  isObject(value['eval']) &&
  ['status', 'version', 'samples', 'results', 'plan'].some((name) => name in value);

/** Logs of Inspect as JSON: an evaluation and its samples. */
export const inspectLog: FileFormat = {
  name: 'inspect',
  unit: 'record',
  detect: ({ first }) => isLog(first),
  read: (value) => (isLog(value) ? samplesOf(value, listOf(value['samples'])) : rejected('invalid_record', value)),
};

/** Logs of Inspect as .eval files: a ZIP of the header and one JSON file a sample. */
export const inspectEval: FileFormat = {
  name: 'inspect-eval',
  unit: 'record',
  detect: ({ container, first }) => container === 'bytes' && first instanceof Uint8Array && isZip(first),
  read(value) {
    if (!(value instanceof Uint8Array && isZip(value))) return rejected('invalid_record', 'not a ZIP file');
    const large: Finding[] = [];
    let left = fileBounds.document;
    const members = unzipSync(value, {
      filter({ name, originalSize }) {
        if (!/^(header\.json|_journal\/start\.json|samples\/.*)$/.test(name)) return false;
        const max = Math.min(maxEntryBytes, left); // fflate gives an entry no more room than it says to need
        if (originalSize <= max) left -= originalSize;
        else
          large.push(
            ...rejected('too_large', { entry: name, message: `the entry ${name} has more than ${max} bytes` }),
          );
        return originalSize <= max;
      },
    });
    const read = (name: string): unknown =>
      members[name] && readJsonText(new TextDecoder().decode(members[name])).value;
    const header = read('header.json') ?? read('_journal/start.json');
    const names = Object.keys(members).filter((name) => name.startsWith('samples/'));
    if (!isObject(header)) return [...large, ...rejected('invalid_record', { members: Object.keys(members) })];
    return [...large, ...samplesOf(header, names.sort().map(read))];
  },
};

const isZip = ([a, b, c, d]: Uint8Array) => a === 0x50 && b === 0x4b && c === 0x03 && d === 0x04;

/** The rows of an evaluation. A log without samples, of a run that was cancelled at once, has none and is no error. */
function samplesOf(log: JsonObject, samples: readonly unknown[]): readonly Finding[] {
  const run = fieldsOf(log['eval']);
  return samples.flatMap((sample) =>
    isObject(sample) ? [sampleRow(sample, run)] : rejected('invalid_record', sample),
  );
}

function sampleRow(sample: JsonObject, run: JsonObject): Finding {
  const attachments = fieldsOf(sample['attachments']);
  const messages = listOf(resolved(sample['messages'], attachments)).map(withError);
  const output = fieldsOf(sample['output']);
  const scores = scoresOf(fieldsOf(sample['scores']));
  const declared = toolsOf(listOf(sample['events']).flatMap((event) => listOf(fieldsOf(event)['tools'])));
  const epoch = numberOf(sample['epoch']);
  const target = sample['target'];
  const limit = textOf(fieldsOf(sample['limit'])['type']);
  const stop = fieldsOf(listOf(output['choices'])[0])['stop_reason'];
  const error = fieldsOf(sample['error'])['message'];
  return {
    kind: 'row',
    row: present({
      ...conversationFrom(itemsOfMessages(messages), { detailed: true }),
      scenario_id: `${written(run['task'] ?? 'task')}/${written(sample['id'])}`,
      task_id: written(sample['id']),
      rollout_index: epoch === undefined ? undefined : Math.max(epoch - 1, 0),
      model_version: textOf(run['model']),
      eval_run: textOf(run['run_id']),
      reward: scores[0]?.value,
      judge_name: scores[0]?.value === undefined ? undefined : scores[0].name,
      reason: scores[0]?.reason,
      markers:
        scores.length > 1
          ? Object.fromEntries(scores.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
          : undefined,
      tools: declared.length > 0 ? declared : undefined,
      usage: usageOf(fieldsOf(sample['model_usage'])),
      finish_reason: error === undefined ? (limit === undefined ? finishReason(stop) : 'length') : 'error',
      error: error === undefined ? undefined : { type: 'sample_error', message: written(error) },
      privileged:
        target === undefined || target === ''
          ? undefined
          : { reference: Array.isArray(target) ? target.join('\n') : written(target) },
    }),
  };
}

/** Texts that many messages share are kept once, beside them. */
function resolved(value: unknown, attachments: JsonObject): unknown {
  if (typeof value === 'string') {
    const id = /^attachment:\/\/(\w+)$/.exec(value)?.[1];
    return id === undefined ? value : (attachments[id] ?? value);
  }
  if (Array.isArray(value)) return value.map((one) => resolved(one, attachments));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, attachments)]));
}

/** The kinds of failure Inspect knows, as the statuses a fault is read from. */
const statuses: Readonly<Record<string, string>> = {
  timeout: 'timeout',
  permission: 'permission_denied',
  approval: 'rejected',
  file_not_found: 'not_found',
  unicode_decode: 'malformed',
  parsing: 'invalid',
  is_a_directory: 'invalid',
};

function withError(message: unknown): unknown {
  const { error, content, ...rest } = fieldsOf(message);
  if (!isObject(error)) return message;
  const type = textOf(error['type']) ?? 'unknown';
  const said = textOf(error['message']) ?? type;
  const failed = { status: entryOf(statuses, type) ?? 'error', error: said, error_type: type };
  return {
    ...rest,
    content: textOf(content) === undefined || content === said ? failed : { ...failed, output: content },
  };
}

interface Score {
  readonly name: string;
  readonly value: number | undefined;
  readonly reason: string | undefined;
}

const letters: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

function scoresOf(scores: JsonObject): readonly Score[] {
  return Object.entries(scores).map(([name, score]) => {
    const { value, explanation } = fieldsOf(score);
    const read =
      typeof value === 'boolean' ? Number(value) : typeof value === 'string' ? entryOf(letters, value) : value;
    return { name, value: numberOf(read), reason: textOf(explanation) };
  });
}

function usageOf(models: JsonObject): JsonObject | undefined {
  const used = Object.values(models).map(fieldsOf);
  if (used.length === 0) return undefined;
  const sum = (name: string) => used.reduce((total, one) => total + (numberOf(one[name]) ?? 0), 0);
  return { input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens') };
}
