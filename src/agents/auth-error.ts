import { isObject } from '../core/json-object.ts';

const refusedKey =
  /\b401\b|\b403\b.*\b(?:key|forbidden)|(?:invalid|incorrect|missing|expired|no)[ _](?:api[ _-]?key|credentials|auth)|unauthori[sz]ed|authentication[ _](?:error|failed|required)/i;

/** Say whether what was thrown is a model host's refusal of the key: no retry helps. */
export function isAuthError(error: unknown): boolean {
  const status = isObject(error) ? (error['status'] ?? error['statusCode']) : undefined;
  if (status === 401 || status === 403) return true;
  if (typeof status === 'number') return false;
  return refusedKey.test(error instanceof Error ? error.message : String(error));
}
