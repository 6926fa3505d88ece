import { isObject, type JsonObject } from '../core/json-object.ts';
import { type JudgeStatus, type Judgment, judgeStatuses, type ScorerKind, scorerKinds } from './judgment.ts';
import { finiteNumber } from './numeric.ts';
import { plainText } from './plain-text.ts';

/** Keys of a row that hold a verdict. Only `attachJudgment` and `toRow` write them. */
export const verdictKeys = [
  'reward',
  'reason',
  'grader_reason',
  'label_source',
  'judge_name',
  'judge_status',
  'judge_meta',
  'failure_class',
  'llm_reward',
  'llm_reason',
  'qwen_reward',
] as const;

/**
 * Read the verdicts of a row, its own first, then those of the advisory judges. A reward that is there and cannot be read
 * is no verdict: null, `invalid_result`, and what stood there as evidence.
 */
export function judgmentsOf(row: JsonObject, rollout_id: string): readonly Judgment[] {
  return [
    ...(isJudged(row) ? [primaryJudgment(row, rollout_id)] : []),
    ...('llm_reward' in row ? [advisory('llm', row['llm_reward'], rollout_id, row['llm_reason'])] : []),
    ...(isThere(row['qwen_reward']) ? [advisory('qwen', row['qwen_reward'], rollout_id)] : []),
  ];
}

/** Verdict keys of a row that no judgment holds, so that a round trip keeps them. */
export function unheldVerdict(row: JsonObject): JsonObject {
  const { reason, grader_reason, judge_meta, failure_class, llm_reason } = row;
  const unheld = {
    ...(isJudged(row) ? {} : { reason, judge_meta, failure_class, grader_reason }),
    ...(isJudged(row) && grader_reason === reason ? { grader_reason } : {}),
    ...('llm_reward' in row ? {} : { llm_reason }),
  };
  return Object.fromEntries(Object.entries(unheld).filter(([, value]) => isThere(value)));
}

const isJudged = (row: JsonObject) =>
  'reward' in row || Boolean(row['judge_status'] || row['judge_name'] || row['label_source']);

function primaryJudgment(row: JsonObject, rollout_id: string): Judgment {
  const { judge_name, label_source, judge_meta, grader_reason, reason, failure_class } = row;
  const { reward, status, raw } = readReward(row['reward'], row['judge_status']);
  const kind = stampedKind(judge_meta) ?? (judge_name ? 'judge' : 'rule');
  return {
    rollout_id,
    scorer: { name: String(judge_name || label_source || 'unlabeled'), kind, version: versionOf(row) },
    reward,
    status,
    reason: plainText(reason),
    failure_class: isThere(failure_class) ? String(failure_class) : null,
    evidence: {
      ...raw,
      ...(judge_meta ? { judge_meta } : {}),
      ...(judge_name && label_source ? { label_source } : {}),
      ...(grader_reason && grader_reason !== reason ? { grader_reason } : {}),
      ...('reward' in row ? { reward_present: true } : {}),
    },
  };
}

function advisory(name: string, given: unknown, rollout_id: string, reason?: unknown): Judgment {
  const { reward, status, raw } = readReward(given, 'ok');
  const scorer = { name, kind: 'judge', version: null } as const;
  return { rollout_id, scorer, reward, status, reason: plainText(reason), failure_class: null, evidence: raw };
}

function readReward(given: unknown, judge_status: unknown) {
  const reward = finiteNumber(given) ?? null;
  if (reward === null && isThere(given))
    return { reward, status: 'invalid_result' as const, raw: { raw_reward: given } };
  const known = judgeStatuses.find((status) => status === (judge_status || 'ok'));
  if (known) return { reward, status: known, raw: {} };
  const status: JudgeStatus = reward === null ? 'invalid_result' : 'ok'; // a word of another writer
  return { reward, status, raw: { raw_status: judge_status } };
}

const stampedKind = (meta: unknown): ScorerKind | undefined =>
  isObject(meta) ? scorerKinds.find((kind) => kind === meta['scorer_kind']) : undefined;

function versionOf({ judge_meta, lineage }: JsonObject): string | null {
  const version = (isObject(judge_meta) && judge_meta['version']) || (isObject(lineage) && lineage['judge_version']);
  return version ? String(version) : null;
}

const isThere = (value: unknown) => value !== undefined && value !== null;
