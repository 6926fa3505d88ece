import { TracemillError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';

/** What rows are used for. */
export const stages = ['sft', 'rm', 'rl', 'eval', 'mid'] as const;
export type Stage = (typeof stages)[number];

/**
 * Stamp copies of the rows with the stage of training they are for, in any case of letters.
 *
 * @throws TM_OPTIONS - the stage is none of sft, rm, rl, eval, mid
 * @source rlhfbook ch. 3
 */
export function stampStage<R extends JsonObject>(rows: readonly R[], stage: string): (R & { readonly stage: Stage })[] {
  const known = asStage(stage);
  if (!known) throw new TracemillError('TM_OPTIONS', `stampStage: ${stage} is none of ${stages.join(', ')}`);
  return rows.map((row) => ({ ...row, stage: known }));
}

/** Read the stage of a row: its stamp, else `eval` when its lineage or purpose says so; undefined for neither. */
export function stageOf(row: JsonObject): Stage | undefined {
  const stamped = typeof row['stage'] === 'string' ? asStage(row['stage']) : undefined;
  const lineage = isObject(row['lineage']) ? row['lineage'] : {};
  return stamped ?? (lineage['source'] === 'eval' || row['purpose'] === 'eval' ? 'eval' : undefined);
}

const asStage = (word: string): Stage | undefined => stages.find((stage) => stage === word.toLowerCase());
