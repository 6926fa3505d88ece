import { isObject, type JsonObject } from '../core/json-object.ts';
import { cleanFaults } from './clean-faults.ts';
import { expectedOutcome } from './expected-outcome.ts';
import type { Privileged } from './privileged.ts';

const ordinaryStates = new Set(['entity exists', 'exists', 'unknown', 'unspecified', '']);

/**
 * Write the answer key of a row at its birth: what the world hides (its state, the faults that were really planned, a
 * half-done history) and how the situation should end. A fault of the cell that was not planned is in neither.
 *
 * @source house rule
 */
export function privilegedContext(dimensions: unknown, faults: unknown): Privileged {
  const dims = isObject(dimensions) ? dimensions : {};
  const planned = cleanFaults(faults);
  const { tool_condition, world_state, history } = dims;
  const condition = planned && tool_condition !== 'success' ? tool_condition : undefined;
  const hidden: JsonObject = {
    ...(typeof world_state === 'string' && !ordinaryStates.has(world_state) ? { world_state } : {}),
    ...(typeof condition === 'string' ? { tool_condition: condition } : {}),
    ...(planned ? { faults: planned } : {}),
    ...(typeof history === 'string' && history.includes('partial') ? { history } : {}),
  };
  const reference = expectedOutcome({ ...dims, tool_condition: condition ?? 'success' });
  return {
    ...(Object.keys(hidden).length > 0 ? { hidden_state: hidden } : {}),
    ...(reference === undefined ? {} : { reference }),
  };
}
