import { isObject, type JsonObject } from '../../core/json-object.ts';

/** Say whether a row came from an evaluation: training on it spoils the evaluation. */
export function isEvalSourced(row: JsonObject): boolean {
  return isObject(row['lineage']) && row['lineage']['source'] === 'eval';
}

/** The rows that came from an evaluation. */
export const evalSourced = <R extends JsonObject>(rows: readonly R[]): readonly R[] => rows.filter(isEvalSourced);
