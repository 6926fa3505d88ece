import { isObject, type JsonObject } from '../../core/json-object.ts';
import { callsMade } from '../../rows/calls-made.ts';
import { binaryLabel } from '../../rows/label.ts';
import { traceFault } from '../../rows/trace-fault.ts';

/** A row's part in a behaviour. */
export interface Membership {
  readonly region: string;
  readonly kind: 'marker' | 'fault_response' | 'capability';
  /** Undefined when nobody graded it. */
  readonly failed: boolean | undefined;
}

/**
 * Name the behaviours a row shows: each marker or score that is 0 or 1, how it met a tool fault, and for a graded row
 * with neither, the task of its first tool.
 */
export function membershipsOf(row: JsonObject): readonly Membership[] {
  const label = binaryLabel(row);
  const failed = label === undefined ? undefined : label === 0;
  const fault = traceFault(row);
  const found: Membership[] = [...measured(row['scores']), ...measured(row['markers'])];
  if (fault !== 'no fault') found.push({ region: `recover_after_${fault}`, kind: 'fault_response', failed });
  const unique = [...new Map(found.map((one) => [one.region, one])).values()];
  if (unique.length > 0 || failed === undefined) return unique;
  return [{ region: `task:${callsMade(row)[0]?.tool ?? 'no-tool'}`, kind: 'capability', failed }];
}

function measured(values: unknown): Membership[] {
  if (!isObject(values)) return [];
  return Object.entries(values).flatMap(([region, given]) => {
    const value = isObject(given) ? given['value'] : given;
    return value === 0 || value === 1 ? [{ region, kind: 'marker' as const, failed: value === 0 }] : [];
  });
}
