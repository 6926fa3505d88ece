import { parseJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import type { CallMade } from './calls-made.ts';

const badStatus: ReadonlySet<string> = new Set([
  'error',
  'failed',
  'failure',
  'timeout',
  'permission_denied',
  'denied',
  'not_found',
  'rejected',
  'unknown_tool',
]);
const badOpening = /^\W*(?:error|traceback|failed|denied|timeout|exception)\b/i;
const exitKeys = ['exit_code', 'returncode', 'exitCode'] as const;
const statusKeys = ['status', 'status_code', 'statusCode', 'http_status'] as const;
const failureKeys = ['success', 'ok'] as const;
const errorKeys = ['isError', 'is_error'] as const;

/**
 * Say whether a call failed: its step says so, or its result does by a status word, an HTTP or exit code, a flag, an error
 * or its first word. `code` alone says nothing: it may be a zip code.
 */
export function failedCall({ step, result }: CallMade): boolean {
  if (step['failed'] === true || isFilled(step['error'])) return true;
  const read = typeof result === 'string' ? (objectIn(result) ?? result) : result;
  if (typeof read === 'string') return badOpening.test(read);
  if (!isObject(read)) return false;
  return (
    statusKeys.some((key) => isBadStatus(read[key])) ||
    exitKeys.some((key) => Number.isInteger(read[key]) && read[key] !== 0) ||
    failureKeys.some((key) => read[key] === false) ||
    errorKeys.some((key) => read[key] === true) ||
    isFilled(read['error']) ||
    isFilled(read['errors'])
  );
}

/** Words and codes that mean the call did not do what it was asked. */
function isBadStatus(status: unknown): boolean {
  if (typeof status !== 'string' && typeof status !== 'number') return false;
  const word = String(status).trim().toLowerCase();
  return badStatus.has(word) || /^[45]\d\d\b/.test(word);
}

function objectIn(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // plain words
  }
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}
