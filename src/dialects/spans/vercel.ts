import { stringifyJson } from '../../core/json.ts';
import { fieldsOf, firstOf, isObject, type JsonObject, textOf } from '../fields.ts';
import { containerOf } from '../json-text.ts';
import { payloadOf } from '../payload.ts';
import { exchangeOf, type SpanDialect } from './exchange.ts';

/** Vercel AI SDK 3 to 7, its own span attributes: the prompt as JSON text, the answer in parts. */
export const vercel: SpanDialect = {
  name: 'vercel',
  read({ attributes }) {
    const given = promptOf(attributes);
    const answer = answerOf(attributes);
    const finish = textOf(firstOf(attributes, ['ai.response.finishReason', 'ai.finishReason']));
    return exchangeOf(given, answer, { finish });
  },
};

function promptOf(attributes: JsonObject): readonly unknown[] {
  const messages = containerOf(attributes['ai.prompt.messages']);
  if (Array.isArray(messages)) return messages;
  const prompt = containerOf(attributes['ai.prompt']);
  if (!isObject(prompt)) return payloadOf(prompt, 'user').messages;
  const system = textOf(prompt['system']) ?? textOf(prompt['instructions']);
  const house = system === undefined ? [] : [{ role: 'system', content: system }];
  return [...house, ...payloadOf(prompt['messages'] ?? prompt['prompt'], 'user').messages];
}

function answerOf(attributes: JsonObject): readonly unknown[] {
  const text = textOf(firstOf(attributes, ['ai.response.text', 'ai.result.text']));
  const calls = containerOf(firstOf(attributes, ['ai.response.toolCalls', 'ai.result.toolCalls']));
  const object = containerOf(firstOf(attributes, ['ai.response.object', 'ai.result.object']));
  const said = text ?? (object === undefined ? undefined : typeof object === 'string' ? object : stringifyJson(object));
  if (said === undefined && !Array.isArray(calls)) return [];
  return [
    { role: 'assistant', content: said ?? '', ...(Array.isArray(calls) ? { tool_calls: calls.map(fieldsOf) } : {}) },
  ];
}
