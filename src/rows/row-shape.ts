import { isObject } from '../core/json-object.ts';

/** Version that this product writes. */
export const schemaVersion = '1';
export const knownVersions: ReadonlySet<string> = new Set(['0', schemaVersion]);

/** How a row was written: with its version, or by one of the writers from before there was one. */
export type RowShape = 'v1' | 'hf_flat' | 'training' | 'engine' | 'platform_pull' | 'otel' | 'loose';

/** Columns of a table that hold lists as JSON text. */
export const jsonTextColumns = ['steps_json', 'messages_json', 'metadata_json'] as const;

/** Read the version of a row: its stamp as text, `'0'` when it has none. */
export function versionOf(row: unknown): string {
  const version = isObject(row) ? row['schema_version'] : undefined;
  return version === undefined || version === null ? '0' : String(version);
}

/** Tell which writer a row came from, by its keys; the first that fits. */
export function detectShape(row: unknown): RowShape {
  if (!isObject(row)) return 'loose';
  if ('schema_version' in row) return 'v1';
  if (jsonTextColumns.some((column) => typeof row[column] === 'string')) return 'hf_flat';
  const hasSteps = isFilled(row['steps']);
  const { messages } = row;
  if (Array.isArray(messages) && messages.length > 0 && !hasSteps && !('final_text' in row)) return 'training';
  if (isThere(row['scenario_id'])) return 'engine';
  if (Array.isArray(row['tool_trace']) && !hasSteps) return 'platform_pull';
  return isThere(row['conversation_id']) ? 'otel' : 'loose';
}

const isThere = (value: unknown) => value !== undefined && value !== null;
const isFilled = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
