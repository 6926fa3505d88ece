import { conversationFrom } from '../conversation.ts';
import { entryOf, isObject, type JsonObject, listOf, present, textOf, written } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';
import { weightedItems } from '../loss-weights.ts';
import { itemsOfMessages } from '../message-items.ts';
import { toolsOf } from '../tool-definition.ts';

const isShareGpt = (value: unknown): value is JsonObject => isObject(value) && Array.isArray(value['conversations']);

/** ShareGPT rows: `conversations` of human, gpt, function_call and observation turns; tools as a list or its JSON text. */
export const shareGpt: FileFormat = {
  name: 'sharegpt',
  unit: 'record',
  detect: ({ values }) => values.some(isShareGpt),
  read(value) {
    if (!isShareGpt(value)) return rejected('invalid_record', value);
    const { conversations, tools, system, chosen, rejected: lost, ...rest } = value;
    const items = weightedItems([...house(system), ...listOf(conversations)]);
    if (chosen !== undefined && lost !== undefined) return [{ kind: 'pair', pair: pairOf(value) }];
    if (items.length === 0) return rejected('empty_conversation', value);
    const declared = toolsOf(tools);
    return rowFinding({
      ...rest,
      ...conversationFrom(items, { detailed: true }),
      ...(declared.length > 0 ? { tools: declared } : {}),
    });
  },
};

const house = (system: unknown) => (textOf(system) === undefined ? [] : [{ role: 'system', content: system }]);
const roles: Readonly<Record<string, string>> = { human: 'user', gpt: 'assistant', observation: 'tool' };

/** A turn as a chat message; one that is a call keeps its JSON text as the call. */
function messageOf(turn: unknown): JsonObject {
  const { from, value, role, content } = (isObject(turn) ? turn : { value: turn }) as JsonObject;
  const word = written(role ?? from ?? 'assistant');
  return { role: entryOf(roles, word) ?? word, content: content ?? value ?? '' };
}

function pairOf(value: JsonObject): JsonObject {
  const { conversations, chosen, rejected: lost, tools, system, ...rest } = value;
  const side = (turn: unknown) => (Array.isArray(turn) ? turn : [turn]).map(messageOf);
  return {
    ...rest,
    ...present({ tools: tools === undefined ? undefined : toolsOf(tools) }),
    prompt: [...house(system), ...listOf(conversations).map(messageOf)],
    chosen: side(chosen),
    rejected: side(lost),
  };
}

const isAlpaca = (value: unknown): value is JsonObject =>
  isObject(value) && typeof value['instruction'] === 'string' && 'output' in value;

/** Alpaca rows: an instruction, its input, the output; earlier turns as `history`. */
export const alpaca: FileFormat = {
  name: 'alpaca',
  unit: 'record',
  detect: ({ values }) => values.some(isAlpaca),
  read(value) {
    if (!isAlpaca(value)) return rejected('invalid_record', value);
    const { instruction, input, output, system, history, chosen, rejected: lost, ...rest } = value;
    const before = listOf(history).flatMap((turn) => [
      { role: 'user', content: listOf(turn)[0] },
      { role: 'assistant', content: listOf(turn)[1] },
    ]);
    const ask = [textOf(instruction), textOf(input)].filter((text) => text !== undefined).join('\n');
    const prompt = [...house(system), ...before, { role: 'user', content: ask }];
    const side = (content: unknown) => [{ role: 'assistant', content }];
    const [better, worse] = Array.isArray(output) ? output : [chosen, lost];
    if (better !== undefined && worse !== undefined)
      return [{ kind: 'pair', pair: { ...rest, prompt, chosen: side(better), rejected: side(worse) } }];
    const items = itemsOfMessages([...prompt, { role: 'assistant', content: output }]);
    return rowFinding({ ...rest, ...conversationFrom(items, { detailed: true }) });
  },
};
