import { stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { markerValue } from './marker-value.ts';

/**
 * Name the group that a row falls in by a field: what the row has under the name, else what its cell
 * (`scenario_dimensions`) has, else the value of the marker; lists and objects as JSON. Undefined without any of them, and
 * where the value is null. The one rule of every `by`.
 *
 * @source house rule
 */
export function groupValue(row: JsonObject, by: string): string | undefined {
  const cell = row['scenario_dimensions'];
  const value = own(row, by) ?? (isObject(cell) ? own(cell, by) : undefined) ?? markerOf(row, by);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

function markerOf(row: JsonObject, by: string): number | undefined {
  const value = markerValue(row, by);
  return typeof value === 'number' ? value : undefined; // what is no number was not measured
}

const own = (fields: JsonObject, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);
