import { parseJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { callsMade } from './calls-made.ts';

/** Words that tools use for one and the same fault. */
const aliases: Readonly<Record<string, string>> = {
  already_acted_on: 'already_done',
  'entity already acted on': 'already_done',
  permission_denied: 'deny',
  denied: 'deny',
  unauthorized: 'deny',
  blocked: 'deny',
  malformed_result: 'malformed',
  stale_result: 'stale',
  missing: 'not_found',
  'entity missing': 'not_found',
};
const bad = new Set([
  'rejected',
  'not_found',
  'error',
  'failed',
  'invalid',
  'timeout',
  'garbled',
  ...Object.values(aliases),
]);
const clean = new Set(['', 'ok', 'created', 'deleted', 'success', 'exit_0']);

/**
 * Name the fault that a tool result shows, undefined when it shows none. A status that is no known fault word, no HTTP
 * error, no exit code and no denied permission is the tool's own vocabulary.
 *
 * @source house rule
 */
export function faultOfResult(given: unknown): string | undefined {
  const result = typeof given === 'string' ? objectIn(given) : given;
  const text = typeof given === 'string' ? given : isObject(given) ? JSON.stringify(given, digits) : '';
  if (text.includes('<<garbled') || text.includes('garbled resp')) return 'malformed';
  if (!isObject(result)) return undefined;
  if (result['stale']) return 'stale';
  const status = wordOf(result['status']);
  if (['already_done', 'already_acted_on'].includes(status) || wordOf(result['reason']) === 'already_acted_on')
    return 'already_done';
  const name = normalFault(status);
  if (bad.has(name)) return name;
  return isFaulted(status, result) ? name || 'error' : undefined;
}

/** Name the first fault that a row's tool results show; without any result the planned one; else `no fault`. */
export function traceFault(row: JsonObject): string {
  const results = callsMade(row).filter(({ result }) => result !== undefined);
  for (const { result } of results) {
    const fault = faultOfResult(result);
    if (fault !== undefined) return fault;
  }
  return (results.length === 0 ? plannedFault(row['faults']) : undefined) ?? 'no fault';
}

/** One word for one fault, whatever a tool calls it. */
export const normalFault = (word: string): string => aliases[word] ?? word;

function isFaulted(status: string, result: JsonObject): boolean {
  if (/^[45]\d\d$/.test(status) || (/^exit_-?\d+$/.test(status) && status !== 'exit_0')) return true;
  if (status.includes('permission')) return true;
  return isFilled(result['error']) && (status === '' || status === 'error'); // an empty `error` says that all went well
}

function plannedFault(faults: unknown): string | undefined {
  if (!isObject(faults)) return undefined;
  const modes = Object.values(faults).map((plan) => (isObject(plan) ? wordOf(plan['mode']) : ''));
  const mode = modes.find((word) => word !== '' && !clean.has(normalFault(word)));
  return mode === undefined ? undefined : normalFault(mode);
}

function objectIn(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined; // plain words
  }
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
const isFilled = (value: unknown): boolean =>
  isObject(value) ? Object.keys(value).length > 0 : Array.isArray(value) ? value.length > 0 : Boolean(value);
const digits = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
