import { TracemillError } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { calibrationOf } from './calibration.ts';
import { judgeStatuses } from './judgment.ts';
import { knownVersions, versionOf } from './row-shape.ts';

export type RowKind = 'row' | 'training' | 'preference';
const required = ['prompt', 'steps', 'final_text'] as const;

/**
 * List what is wrong with a row, as codes; an empty list when nothing is. Never throws. A row without a version only has
 * to be an object with something in it; a training or preference row is checked whatever its version.
 */
export function validateRow(row: unknown, { kind = 'row' }: { readonly kind?: RowKind } = {}): readonly string[] {
  if (!isObject(row)) return ['not_a_dict'];
  if (Object.keys(row).length === 0) return ['empty_row'];
  const version = versionOf(row);
  if (!knownVersions.has(version)) return [`unknown_schema_version:${version}`];
  if (kind === 'training') return trainingProblems(row);
  if (kind === 'preference') return preferenceProblems(row);
  return version === '0' ? [] : rowProblems(row);
}

/**
 * Refuse rows that are not well formed; the message names the first five.
 *
 * @throws TM_ROW - with each bad row as `index:codes`
 */
export function checkRows(
  rows: readonly unknown[],
  { kind = 'row', where = 'rows' }: { readonly kind?: RowKind; readonly where?: string } = {},
): void {
  const bad: string[] = [];
  for (const [n, row] of rows.entries()) {
    const problems = validateRow(row, { kind });
    if (problems.length > 0) bad.push(`${n}:${problems.join(',')}`);
    if (bad.length === 5) break;
  }
  if (bad.length > 0)
    throw new TracemillError('TM_ROW', `${where}: not rows of schema v1: ${bad.join('; ')}`, {
      reason: 'schema_invalid',
    });
}

function rowProblems(row: JsonObject): string[] {
  const has = (key: string) => row[key] !== undefined;
  const { prompt, steps, final_text, reward, judge_status, calibration } = row;
  const isThere = (value: unknown) => value !== undefined && value !== null;
  const isKnownStatus = judgeStatuses.some((status) => status === judge_status);
  return [
    ...required.filter((key) => !has(key)).map((key) => `${key}_missing`),
    ...(has('prompt') && typeof prompt !== 'string' ? ['prompt_not_str'] : []),
    ...(has('steps') && !Array.isArray(steps) ? ['steps_not_list'] : []),
    ...(has('final_text') && typeof final_text !== 'string' ? ['final_text_not_str'] : []),
    ...(typeof reward === 'boolean' ? ['reward_is_bool'] : []),
    ...(isThere(reward) && typeof reward !== 'boolean' && !Number.isFinite(reward) ? ['reward_not_number'] : []),
    ...(isThere(judge_status) && !isKnownStatus ? ['judge_status_unknown'] : []),
    ...(isThere(calibration) && calibrationOf(row) === null ? ['calibration_invalid'] : []),
  ];
}

function trainingProblems({ messages, tools, loss_mask: mask }: JsonObject): string[] {
  const list = Array.isArray(messages) ? messages : [];
  const hasRoles = list.every((message) => isObject(message) && 'role' in message);
  const fits = Array.isArray(mask) && Array.isArray(messages) && mask.length === messages.length;
  const isMask = fits && mask.every((one) => one === 0 || one === 1);
  return [
    ...(list.length === 0 ? ['messages_missing'] : hasRoles ? [] : ['message_without_role']),
    ...(tools !== undefined && tools !== null && !Array.isArray(tools) ? ['tools_not_list'] : []),
    ...(mask !== undefined && mask !== null && !isMask ? ['loss_mask_invalid'] : []),
  ];
}

function preferenceProblems(row: JsonObject): string[] {
  return ['chosen', 'rejected'].flatMap((side) => {
    const turns = row[side];
    return Array.isArray(turns) && turns.length > 0 ? [] : [`${side}_missing`];
  });
}
