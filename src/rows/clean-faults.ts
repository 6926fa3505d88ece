import { isObject, type JsonObject } from '../core/json-object.ts';

/**
 * Keep what a fault plan says of tools: its object entries. World state, stance and texture may ride in a plan but are
 * fields of the row. Null when nothing is left.
 */
export function cleanFaults(plan: unknown): JsonObject | null {
  if (!isObject(plan)) return null;
  const faults = Object.entries(plan).filter(([, fault]) => isObject(fault));
  return faults.length > 0 ? Object.fromEntries(faults) : null;
}
