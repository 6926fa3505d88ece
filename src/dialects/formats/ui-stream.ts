import { conversationFrom } from '../conversation.ts';
import { isObject, type JsonObject, listOf, textOf, written } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { itemsOfMessages } from '../message-items.ts';

const types =
  /^(start|finish|abort|error|message-metadata|(start|finish)-step|(text|reasoning)(-(start|delta|end))?|tool-(input|output)-[a-z]+|(source|file|data)-?.*)$/;
const isEvent = (value: unknown): value is JsonObject =>
  isObject(value) && typeof value['type'] === 'string' && types.test(value['type']);

/** AI SDK interface streams: the deltas of one reply, with its calls and their answers. */
export const uiStream: FileFormat = {
  name: 'ui-stream',
  unit: 'file',
  detect: ({ container, values }) =>
    container !== 'object' && values.length > 1 && values.every(isEvent) && values.some((one) => isStart(one)),
  read(values) {
    const parts = listOf(values).filter(isEvent).reduce<Part[]>(folded, []);
    const items = itemsOfMessages([{ role: 'assistant', parts: parts.filter(({ type }) => type !== 'reasoning') }]);
    if (items.length === 0) return rejected('empty_conversation', values);
    return rowFinding({ ...conversationFrom(items, { detailed: true }) });
  },
};

const isStart = (value: unknown) =>
  isObject(value) && /^(start|start-step|text-start|tool-input-start)$/.test(written(value['type']));

type Part = Record<string, unknown>;

/** Add one event to the parts: texts and inputs grow by their deltas. */
function folded(parts: Part[], event: JsonObject): Part[] {
  const { type, id, toolCallId } = event;
  const find = () =>
    parts.findLast((part) => (toolCallId === undefined ? part['id'] === id : part['toolCallId'] === toolCallId));
  if (type === 'text-start') parts.push({ type: 'text', id, text: '' });
  else if (type === 'text-delta') {
    const open = find() ?? { type: 'text', id, text: '' };
    if (!parts.includes(open)) parts.push(open);
    open['text'] = `${written(open['text'])}${written(event['delta'] ?? event['textDelta'] ?? '')}`;
  } else if (typeof type === 'string' && type.startsWith('tool-')) tool(parts, event, find());
  return parts;
}

function tool(parts: Part[], event: JsonObject, known: Part | undefined): void {
  const part = known ?? {
    type: 'dynamic-tool',
    toolCallId: event['toolCallId'],
    toolName: event['toolName'],
    input: '',
  };
  if (!known) parts.push(part);
  if (event['type'] === 'tool-input-delta')
    part['input'] = `${written(part['input'])}${written(event['inputTextDelta'] ?? '')}`;
  if ('input' in event) part['input'] = event['input'];
  if ('output' in event) part['output'] = event['output'];
  if (textOf(event['errorText']) !== undefined) part['errorText'] = event['errorText'];
  if (textOf(event['toolName']) !== undefined) part['toolName'] = event['toolName'];
}
