import { stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { canonicalStep } from './canonical-step.ts';
import { numericOf } from './numeric.ts';
import type { Row } from './row.ts';
import { stepsFromMessages } from './steps-from-messages.ts';

const stepKeys = ['steps', 'tool_trace', 'trace'] as const;
const promptKeys = ['prompt', 'question', 'input', 'task', 'ask'] as const;
const finalKeys = ['final_text', 'final', 'output', 'response', 'answer'] as const;

/**
 * Read any trace of another stack as one row: `prompt`, `steps`, `final_text`, and `reward` when it can be read as a
 * number from 0 to 1. Other keys travel untouched. Undefined for what is no object or has neither an ask nor a step.
 *
 * @source house rule
 */
export function traceRow(trace: unknown): Row | undefined {
  if (!isObject(trace)) return undefined;
  const steps = stepsOf(trace);
  const prompt = firstFilled(trace, promptKeys) ?? firstText(steps, 'user');
  if (prompt === '' && steps.length === 0) return undefined;
  const final_text = firstFilled(trace, finalKeys) ?? firstText(steps.toReversed(), 'text');
  const { reward: given, ...rest } = trace;
  const reward = rewardOf(given);
  return { ...rest, steps, prompt, final_text, ...(reward === undefined ? {} : { reward }) } as Row; // foreign fields are checked where they are read
}

function stepsOf(trace: JsonObject): JsonObject[] {
  const listed = stepKeys.map((key) => trace[key]).find((list) => Array.isArray(list) && list.length > 0);
  const { messages } = trace;
  const steps = Array.isArray(listed) ? listed : Array.isArray(messages) ? stepsFromMessages(messages) : [];
  return steps.filter(isObject).map(canonicalStep);
}

function firstFilled(trace: JsonObject, keys: readonly string[]): string | undefined {
  const value = keys.map((key) => trace[key]).find(isFilled);
  return value === undefined ? undefined : typeof value === 'string' ? value : stringifyJson(value);
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function firstText(steps: readonly JsonObject[], key: 'user' | 'text'): string {
  const step = steps.find((one) => key in one && one[key] !== null);
  return step === undefined ? '' : String(step[key]);
}

/** A partial reward stays as it is: real files carry them. */
export function rewardOf(value: unknown): number | undefined {
  const number = typeof value === 'boolean' ? Number(value) : numericOf(value);
  return number !== undefined && number >= 0 && number <= 1 ? number : undefined;
}
