import type { JsonObject } from '../core/json-object.ts';
import { numericOf } from './numeric.ts';

/**
 * Read one marker of a row as a finite number: true and false are 1 and 0, text may spell it. `'invalid'` when there is a
 * value that is no finite number (counted, never averaged), undefined when the row does not carry the marker or it is null.
 */
export function markerValue(row: JsonObject, name: string): number | 'invalid' | undefined {
  const markers = row['markers'];
  if (markers === null || typeof markers !== 'object' || !Object.hasOwn(markers, name)) return undefined;
  const value = (markers as JsonObject)[name];
  if (value === null || value === undefined) return undefined;
  const number = typeof value === 'boolean' ? Number(value) : numericOf(value);
  return number !== undefined && Number.isFinite(number) ? number : 'invalid';
}
