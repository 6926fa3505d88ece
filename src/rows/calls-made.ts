import { parseJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { stepsFromMessages } from './steps-from-messages.ts';
import { readArguments } from './tool-calls.ts';

/** One call of a tool in a rollout, with what came back. */
export interface CallMade {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Absent when no result was recorded: that is neither a fault nor a success. */
  readonly result?: unknown;
  /** The step it stands in, for what else that says (`failed`, `error`). */
  readonly step: JsonObject;
}

/**
 * Read the tool calls of a row in order: from `steps`, else `tool_trace`, else from the messages, else from `<tool_call>`
 * blocks in what the agent wrote.
 */
export function callsMade(row: JsonObject): readonly CallMade[] {
  const stepped = callsIn(row['steps']);
  if (stepped.length > 0) return stepped;
  const traced = callsIn(row['tool_trace']);
  if (traced.length > 0) return traced;
  const messages = listOf(row['messages']);
  const calls = callsIn(stepsFromMessages(messages));
  return calls.length > 0 ? calls : writtenCalls(row, messages);
}

function callsIn(steps: unknown): readonly CallMade[] {
  const calls: CallMade[] = [];
  if (Array.isArray(steps)) for (const step of steps) if (isObject(step) && hasTool(step)) calls.push(callOfStep(step));
  return calls;
}

function callOfStep(step: JsonObject): CallMade {
  const given = step['arguments'] ?? step['input'] ?? step['args'] ?? step['parameters'];
  const tool = String(step['tool']);
  const { arguments: read = {} } = readArguments(given);
  const { output = step['response'], result = output } = step;
  return result === undefined ? { tool, arguments: read, step } : { tool, arguments: read, step, result };
}

const writtenCall = /<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g;

function writtenCalls(row: JsonObject, messages: readonly JsonObject[]): CallMade[] {
  const said = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  const texts = [...new Set([...said, row['final_text']])].filter((text) => typeof text === 'string');
  return texts.flatMap((text) => {
    if (!text.includes('<tool_call>')) return [];
    return [...text.matchAll(writtenCall)].flatMap(([, body = '']) => {
      const call = jsonOf(body);
      if (!isObject(call)) return [];
      return [
        { tool: String(call['name'] ?? ''), arguments: readArguments(call['arguments']).arguments ?? {}, step: {} },
      ];
    });
  });
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined; // markup around something else is no call
  }
}

const hasTool = (step: JsonObject): boolean => typeof step['tool'] === 'string' && step['tool'] !== '';
const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
