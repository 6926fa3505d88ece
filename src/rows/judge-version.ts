import { isObject } from '../core/json-object.ts';
import type { Row } from './row.ts';

/** The version of the judge that graded a row: what the verdict says, else the lineage; undefined when neither does. */
export function judgeVersionOf(row: Row): string | undefined {
  const { judge_meta: meta, lineage } = row;
  const said = isObject(meta) ? meta['version'] : undefined;
  const version = said ?? (isObject(lineage) ? lineage['judge_version'] : undefined);
  return version === undefined || version === null ? undefined : String(version);
}
