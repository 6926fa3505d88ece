import { z } from 'zod';
import { draws } from '../../core/draws.ts';
import { isObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { asWarnings, type Remark } from '../../core/remarks.ts';
import { binaryLabel } from '../../rows/label.ts';
import type { Row } from '../../rows/row.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { judgeCaller } from '../call-judge.ts';
import { type Judge, judgeNameOf } from '../judge.ts';
import { mapInOrder } from '../map-in-order.ts';
import { four } from '../rounding.ts';

const options = z.strictObject({
  sample: z.int().min(1).default(40).describe('Most failed rows to look at.'),
  passes: z.int().min(0).default(0).describe('Most passed rows to look at.'),
  question: z
    .string()
    .default('Is this answer right, whatever its form? Grade the substance only.')
    .describe('What the auditor is asked; its rubric where a row has none.'),
  seed: z.int().default(0).describe('Which rows.'),
  concurrency: z.int().min(1).default(4).describe('Calls at the same time.'),
  timeoutMs: z.int().min(1).default(120_000).describe('A call that takes longer has no verdict, in ms.'),
  judgeName: z.string().min(1).optional().describe('Name of the auditor; its own by default.'),
});
export type AuditOptions = z.input<typeof options>;

const maxWrong = 0.1;
const fewChecked = 20;
const maxExamples = 5;

interface Checked {
  readonly row: Row;
  /** Null when the auditor had no verdict. */
  readonly isRight: boolean | null;
  readonly reason: string;
}

/**
 * Let a second judge look at a sample of what a verifier failed, and of what it passed: how many of its grades are wrong, and
 * by which of its reasons? The auditor sees the row without the grade, and the verifier's reason beside it. It must not be the
 * graded model.
 *
 * @throws TM_OPTIONS - an unknown option, or a sample under 1
 * @source rlhfbook ch. 7 and 13 (verifiers fail right answers too)
 */
export async function auditGrades(rows: readonly Row[], judge: Judge, config: AuditOptions = {}) {
  const { sample, passes, question, seed, concurrency, timeoutMs, judgeName } = parseOptions(
    'auditGrades',
    options,
    config,
  );
  const judged = rows.filter(
    (row) => isObject(row) && (row.judge_status ?? 'ok') === 'ok' && typeof row.reward === 'number',
  );
  const failed = judged.filter((row) => binaryLabel(row) === 0);
  const passed = judged.filter((row) => binaryLabel(row) === 1);
  const ask = judgeCaller(judge, { timeoutMs });
  const check = (list: readonly Row[]) =>
    mapInOrder(list, concurrency, async (row) => checked(row, await ask(auditRow(row, question))));
  const [failSample, passSample] = [sampled(failed, sample, seed), sampled(passed, passes, seed)];
  const [fails, others] = [await check(failSample), await check(passSample)];
  const [known, knownPasses] = [fails.filter(isKnown), others.filter(isKnown)];
  const wrongFails = known.filter(({ isRight }) => isRight);
  const wrongPasses = knownPasses.filter(({ isRight }) => !isRight);
  const verifier = mostCommon(judged.map((row) => row.judge_name));
  const [fnRate, fpRate] = [rate(wrongFails, known), rate(wrongPasses, knownPasses)];
  const errors = fails.length + others.length - known.length - knownPasses.length;
  return {
    n_rows: judged.length,
    n_failed: failed.length,
    n_passed: passed.length,
    n_sampled: fails.length,
    n_checked: known.length,
    false_negatives: wrongFails.length,
    fn_rate: fnRate,
    fn_ci95: wilsonInterval(wrongFails.length, known.length),
    estimated_wrong_fails: fnRate === null ? null : Math.round(fnRate * failed.length),
    n_passes_sampled: others.length,
    n_passes_checked: knownPasses.length,
    false_positives: wrongPasses.length,
    fp_rate: fpRate,
    fp_ci95: wilsonInterval(wrongPasses.length, knownPasses.length),
    judge_errors: errors,
    reasons: byReason(known, verifier),
    examples: wrongFails.slice(0, maxExamples).map(example),
    verifier,
    judge: judgeName ?? judgeNameOf(judge),
    question,
    summary: summaryOf(known.length, wrongFails.length, verifier),
    ...asWarnings([...remarks(known.length, fnRate, fpRate, errors), ...ownModel(judged, judge.model)]),
  };
}

const isKnown = ({ isRight }: Checked) => isRight !== null;
const rate = (wrong: readonly Checked[], all: readonly Checked[]) =>
  all.length === 0 ? null : four(wrong.length / all.length);

function sampled(rows: readonly Row[], most: number, seed: number): readonly Row[] {
  if (rows.length <= most) return rows;
  const places = draws(seed, 'audit sample')
    .shuffle([...rows.keys()])
    .slice(0, most);
  const chosen = new Set(places);
  return rows.filter((_row, n) => chosen.has(n));
}

/** The row without its grade; the question is the rubric where it has none. */
function auditRow(row: Row, question: string): Row {
  const { reward, reason, judge_name, judge_status: _1, judge_meta: _2, failure_class: _3, ...rest } = row;
  const privileged = isObject(rest['privileged']) ? rest['privileged'] : {};
  const copy: Record<string, unknown> = {
    ...rest,
    privileged: { ...privileged, rubric: privileged['rubric'] ?? question },
    audit: { question, verifier: judge_name ?? null, verifier_reason: reason ?? '', verifier_reward: reward },
  };
  return copy as Row; // a question stands where a rubric of criteria usually does
}

const checked = (
  row: Row,
  { reward, reason }: { readonly reward: number | null; readonly reason: string },
): Checked => ({
  row,
  isRight: reward === null ? null : reward >= 0.5,
  reason,
});

/**
 * Name the sort of a verifier's reason: without its own name in front, up to the first colon or bracket, numbers as `#`.
 */
export function auditReasonKey(reason: unknown, verifier: string | null): string {
  let text = typeof reason === 'string' ? reason.trim() : '';
  if (verifier && text.toLowerCase().startsWith(`${verifier.toLowerCase()}:`)) text = text.slice(verifier.length + 1);
  const [head = ''] = text.split(/[:(]/, 1);
  return (
    head
      .trim()
      .replace(/\d+(?:\.\d+)?/g, '#')
      .toLowerCase() || '(no reason)'
  );
}

function byReason(known: readonly Checked[], verifier: string | null) {
  const counts = new Map<string, { n: number; fn: number }>();
  for (const { row, isRight } of known) {
    const key = auditReasonKey(row.reason, verifier);
    const count = counts.get(key) ?? { n: 0, fn: 0 };
    counts.set(key, { n: count.n + 1, fn: count.fn + (isRight ? 1 : 0) });
  }
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y.fn - x.fn || y.n - x.n || (a < b ? -1 : 1)));
}

const example = ({ row, reason }: Checked) => ({
  scenario_id: row.scenario_id ?? null,
  rollout_index: row.rollout_index ?? null,
  verifier_reason: row.reason ?? null,
  judge_reason: reason || null,
});

function mostCommon(names: readonly unknown[]): string | null {
  const counts = new Map<string, number>();
  for (const name of names) if (typeof name === 'string') counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, n], [, m]) => m - n)[0]?.[0] ?? null;
}

function summaryOf(checkedRows: number, wrong: number, verifier: string | null): string {
  if (checkedRows === 0) return 'nothing was audited';
  return `${wrong} of ${checkedRows} answers that ${verifier ?? 'the verifier'} failed look right to the auditor`;
}

/** An auditor that is the grader's own model repeats its mistakes. */
function ownModel(rows: readonly Row[], model: string | undefined): Remark[] {
  const isSame = ({ judge_meta: meta }: Row) => isObject(meta) && meta['judge_model'] === model;
  if (model === undefined || !rows.some(isSame)) return [];
  return [{ code: 'auditor_is_grader', text: `${model} graded these rows: it will repeat its own mistakes` }];
}

function remarks(known: number, fnRate: number | null, fpRate: number | null, errors: number): Remark[] {
  const found: Remark[] = [];
  if (errors > 0) found.push({ code: 'judge_errors', text: `the auditor had no verdict on ${errors} rows` });
  if (known === 0) found.push({ code: 'nothing_audited', text: 'no failed row was audited' });
  else if (known < fewChecked)
    found.push({ code: 'small_sample', text: `${known} rows say little: audit ${fewChecked} or more` });
  if (fnRate !== null && fnRate > maxWrong)
    found.push({ code: 'verifier_wrong', text: `${fnRate} of what it failed looks right` });
  if (fpRate !== null && fpRate > maxWrong)
    found.push({ code: 'passes_disagree', text: `${fpRate} of what it passed looks wrong` });
  found.push({ code: 'second_opinion', text: 'an auditor is a second opinion, not the truth' });
  return found;
}
