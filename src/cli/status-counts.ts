import { isObject } from '../core/json-object.ts';
import type { Row } from '../rows/row.ts';

interface StatusCount {
  readonly rows: number;
  /** What the first row of the status said went wrong. */
  readonly error?: string;
}

/** Count graded rows by what became of their verdict, and keep the first error of each kind. */
export function statusCounts() {
  const counts = new Map<string, StatusCount>();
  return {
    add(row: Row): void {
      const status = row.judge_status ?? 'ok';
      const { rows = 0, error = errorOf(row) } = counts.get(status) ?? {};
      counts.set(status, { rows: rows + 1, ...(error !== undefined && { error }) });
    },
    end: (): Readonly<Record<string, StatusCount>> => Object.fromEntries(counts),
  };
}

function errorOf({ judge_status = 'ok', judge_meta, reason }: Row): string | undefined {
  if (judge_status === 'ok') return undefined;
  const error = (isObject(judge_meta) ? judge_meta['error'] : undefined) ?? reason;
  return error === undefined || error === null ? undefined : String(error);
}
