import { type Clock, systemClock } from '../../core/clock.ts';
import { TracemillError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { asWarnings, type Remark } from '../../core/remarks.ts';
import { episodeKey, hasRowName, rowKey } from '../../rows/task-key.ts';
import { exactLabel, goldKindOf, goldKinds, kindOf } from './gold.ts';
import { labelLines } from './label-lines.ts';

export interface LabelOptions {
  /** Who labelled, where a label does not say. */
  readonly annotator?: string;
  /** `human`, `program` (or `verifier`) or `model`, where a label does not say. */
  readonly kind?: string;
  /** Forget the labels that a row has before it gets new ones. */
  readonly replace?: boolean;
  readonly clock?: Clock;
}
type MutableRow = Record<string, unknown>;
interface Vote {
  readonly label: 0 | 1;
  readonly annotator: string;
  readonly kind: string;
  readonly ts: unknown;
  readonly note?: unknown;
}
interface Given {
  readonly key: string | undefined;
  readonly vote: Vote | undefined;
}
/** Labels: the path of a JSONL file, a list of objects that name their row, or labels by row key. */
export type Labels = string | readonly unknown[] | JsonObject;

/**
 * Write gold labels on the rows they name, by `key`, by `rollout_id`, by scenario and index, or by prompt and reply; rows
 * without a name that are word for word the same share their labels. Each
 * row's gold is the majority of its labels, one vote for each named annotator, the latest; a tie leaves no gold. Changes the
 * rows, all of them or, when a label is refused, none.
 *
 * @throws TM_SOURCE - the file of labels cannot be read, or a line of it is no JSON
 * @throws TM_OPTIONS - `invalid_labels`: no label names a row; `ambiguous_key`: one names two that differ; an unknown kind
 * @source rlhfbook ch. 5
 */
export function attachLabels(rows: readonly MutableRow[], labels: Labels, options: LabelOptions = {}) {
  const given = readLabels(labels, options);
  const byKey = rowsByKey(rows);
  const named = given.filter((one): one is Named => one.vote !== undefined);
  const { votes, unmatched } = votesByRow(named, byKey);
  if (votes.size === 0 && named.some(({ key }) => key !== undefined))
    throw wrong('invalid_labels', `no label names a row; the first names ${unmatched[0]}`);
  let ties = 0;
  for (const [row, fresh] of votes) if (!settle(row, fresh, options.replace === true)) ties++;
  const labelled = [...votes.keys()];
  return {
    rows,
    report: {
      labels: given.length,
      matched: named.length - unmatched.length,
      unmatched: unmatched.length,
      unmatched_keys: unmatched.slice(0, 10),
      invalid: given.length - named.length,
      rows_labeled: labelled.length,
      ties,
      annotators: [...new Set(labelled.flatMap(votesOf).map(({ annotator }) => annotator))].sort(),
      ...asWarnings(remarks(unmatched.length, ties)),
    },
  };
}

interface Named {
  readonly key: string | undefined;
  readonly vote: Vote;
}

/** What each row gets, and the keys that name none. Throws before anything is changed. */
function votesByRow(named: readonly Named[], byKey: ReadonlyMap<string, ReadonlySet<MutableRow>>) {
  const votes = new Map<MutableRow, Vote[]>();
  const unmatched: string[] = [];
  for (const { key, vote } of named) {
    const found = [...((key === undefined ? undefined : byKey.get(key)) ?? [])];
    if (found.length > 1 && !isOneEpisode(found))
      throw wrong('ambiguous_key', `${key} names ${found.length} rows that differ; give rows a rollout_id`);
    for (const row of found) votes.set(row, [...(votes.get(row) ?? []), vote]);
    if (found.length === 0) unmatched.push(key ?? 'None');
  }
  return { votes, unmatched };
}

/** Rows without a name that are word for word the same: a label of one is a label of all. */
const isOneEpisode = (rows: readonly MutableRow[]): boolean =>
  rows.every((row) => !hasRowName(row)) && new Set(rows.map(episodeKey)).size === 1;

const wrong = (reason: string, message: string) =>
  new TracemillError('TM_OPTIONS', `attachLabels: ${message}`, { reason });

function readLabels(labels: Labels, options: LabelOptions): Given[] {
  const list = typeof labels === 'string' ? labelLines(labels) : labels;
  if (!Array.isArray(list))
    return Object.entries(list as JsonObject).map(([key, label]) =>
      readLabel(isObject(label) ? { ...label, key } : { key, label }, options),
    );
  if (list.length > 0 && !list.some(isObject))
    throw wrong('invalid_labels', 'a list of labels needs objects that name their rows, such as {key, label}');
  return list.map((label) => (isObject(label) ? readLabel(label, options) : { key: undefined, vote: undefined }));
}

function readLabel(
  label: JsonObject,
  { annotator = 'unknown', kind = 'human', clock = systemClock }: LabelOptions,
): Given {
  const value = exactLabel(
    ['label', 'reward', 'gold_reward'].map((name) => label[name]).find((one) => one !== undefined),
  );
  const kindName = kindOf(label['kind'] ?? kind);
  if (!goldKinds.some((known) => known === kindName))
    throw new TracemillError(
      'TM_OPTIONS',
      `attachLabels: kind is human, program or model, got ${String(label['kind'] ?? kind)}`,
    );
  if (value === undefined) return { key: undefined, vote: undefined };
  const vote: Vote = {
    label: value,
    annotator: String(label['annotator'] || annotator),
    kind: kindName,
    ts: label['ts'] ?? clock(),
    ...(label['note'] ? { note: label['note'] } : {}),
  };
  return { key: keyOf(label), vote };
}

function keyOf(label: JsonObject): string | undefined {
  if (label['key'] !== undefined && label['key'] !== null) return String(label['key']);
  const isNamed =
    label['rollout_id'] || (isThere(label['scenario_id']) && isThere(label['rollout_index'])) || label['prompt'];
  return isNamed ? rowKey(label) : undefined;
}

/** A row is reached by its id, by its scenario and index, and by what was asked and said. */
function rowsByKey(rows: readonly MutableRow[]): Map<string, Set<MutableRow>> {
  const byKey = new Map<string, Set<MutableRow>>();
  for (const row of rows) {
    const { rollout_id, scenario_id, rollout_index, prompt, final_text } = row;
    const keys = new Set([rowKey(row)]);
    if (isThere(scenario_id) && isThere(rollout_index)) keys.add(rowKey({ scenario_id, rollout_index }));
    if (prompt) keys.add(rowKey({ prompt, final_text }));
    if (rollout_id) keys.add(String(rollout_id));
    if (!hasRowName(row)) keys.add(episodeKey(row));
    for (const key of keys) byKey.set(key, (byKey.get(key) ?? new Set()).add(row));
  }
  return byKey;
}

/** Add the votes to a row and settle its gold; false on a tie. */
function settle(row: MutableRow, fresh: readonly Vote[], isReplaced: boolean): boolean {
  const votes = [...(isReplaced ? [] : votesOf(row)), ...fresh];
  row['gold_labels'] = votes;
  const counted = onePerAnnotator(votes);
  const passes = counted.filter(({ label }) => label === 1).length;
  if (passes * 2 === counted.length) {
    delete row['gold_reward'];
    delete row['gold_kind'];
    return false;
  }
  row['gold_reward'] = passes * 2 > counted.length ? 1 : 0;
  row['gold_kind'] = goldKindOf(counted.map(({ kind }) => kind));
  return true;
}

function onePerAnnotator(votes: readonly Vote[]): Vote[] {
  const latest = new Map<string, Vote>();
  for (const [n, vote] of votes.entries()) latest.set(vote.annotator === 'unknown' ? `#${n}` : vote.annotator, vote);
  return [...latest.values()];
}

/** The labels a row carries that can be read. */
export const votesOf = (row: MutableRow): Vote[] =>
  (Array.isArray(row['gold_labels']) ? row['gold_labels'] : [])
    .filter((vote: unknown) => isObject(vote) && exactLabel(vote['label']) !== undefined)
    .map((vote: Vote) => ({ ...vote, annotator: String(vote.annotator || 'unknown') }));

function remarks(unmatched: number, ties: number): Remark[] {
  const found: Remark[] = [];
  if (ties > 0) found.push({ code: 'ties', text: `${ties} rows have as many passes as fails and no gold` });
  if (unmatched > 0) found.push({ code: 'no_match', text: `${unmatched} labels name no row` });
  return found;
}

const isThere = (value: unknown) => value !== undefined && value !== null;
