import type { Row } from '../rows/row.ts';

const troubled = new Set('error timeout not_found denied malformed permission_denied stale rejected'.split(' '));

/** Say whether a row met trouble that is worth another look: a planned fault, or a tool that did not simply answer. */
export function mutationWorthy(row: Row): boolean {
  const { faults, steps } = row;
  if (faults !== null && typeof faults === 'object' && Object.keys(faults).length > 0) return true;
  return (steps ?? []).some((step) => troubled.has(statusOf(step['result']) ?? ''));
}

/** Read the status of a tool result, also of one that is JSON text. */
export function statusOf(result: unknown): string | undefined {
  const value = typeof result === 'string' ? parsed(result) : result;
  if (value === null || typeof value !== 'object') return undefined;
  const { status } = value as { readonly status?: unknown };
  return typeof status === 'string' ? status : undefined;
}

function parsed(text: string): unknown {
  if (!/^\s*\{/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // plain text that begins with a brace
  }
}
