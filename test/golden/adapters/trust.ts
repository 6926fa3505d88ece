import type { JsonObject } from '../../../src/core/json-object.ts';
import { judgePairs, type PairJudge, parsePairwise } from '../../../src/judges/judge-pairs.ts';
import { criterionFromObject } from '../../../src/judges/rubric/criterion.ts';
import { parseCriteriaReply, parseRubricReply } from '../../../src/judges/rubric/parse-replies.ts';
import { rubricFromObject } from '../../../src/judges/rubric/rubric.ts';
import { scoreWithRubric } from '../../../src/judges/rubric/score-with-rubric.ts';
import { writeRubrics } from '../../../src/judges/rubric/write-rubrics.ts';
import { annotatorAgreement } from '../../../src/judges/trust/annotator-agreement.ts';
import { attachLabels, type LabelOptions, type Labels } from '../../../src/judges/trust/attach-labels.ts';
import { type AuditOptions, auditGrades, auditReasonKey } from '../../../src/judges/trust/audit-grades.ts';
import { goldKindOf } from '../../../src/judges/trust/gold.ts';
import { type AgreementOptions, judgeAgreement } from '../../../src/judges/trust/judge-agreement.ts';
import { judgeProbes, type ProbeOptions } from '../../../src/judges/trust/judge-probes.ts';
import { judgeTrust, type TrustOptions } from '../../../src/judges/trust/judge-trust.ts';
import { rubricWords } from '../../../src/judges/trust/rubric-words.ts';
import { type TrustMode, trustAfterGrade } from '../../../src/judges/trust/trust-after-grade.ts';
import type { Row } from '../../../src/rows/row.ts';
import type { Adapters } from '../run-case.ts';
import { answer, tableJudge } from './judge.ts';

type Table = Parameters<typeof tableJudge>[0];
interface Rows {
  readonly rows: readonly Row[];
}
interface PairTable extends Table {
  readonly better_contains?: string;
  readonly by_pair?: JsonObject;
  readonly reason?: string;
}
interface WriterTable {
  readonly name?: string;
  readonly by_request_lower: JsonObject;
  readonly default: unknown;
}

/** A judge of pairs given as data. */
function tablePairJudge(table: PairTable): PairJudge {
  const judge = (a: Row, b: Row): unknown => {
    if (table.better_contains !== undefined) {
      const [inA, inB] = [a, b].map((row) => (row.final_text ?? '').includes(table.better_contains ?? ''));
      return { winner: inA === inB ? 'tie' : inA ? 'A' : 'B', reason: table.reason ?? '' };
    }
    if (table.by_pair) return answer(table.by_pair[`${a.final_text}|${b.final_text}`]);
    return answer(table.always);
  };
  return Object.defineProperty(judge, 'name', { value: table.name ?? 'table_pair_judge' });
}

function tableWriter({ name = 'table_writer', by_request_lower, default: other }: WriterTable) {
  const writer = ({ request }: { request: string }) => by_request_lower[request.toLowerCase()] ?? other;
  return Object.defineProperty(writer, 'name', { value: name });
}

const rubricOf = (row: Row) =>
  (row['privileged'] as { rubric?: { criteria?: JsonObject[]; source?: string } } | undefined)?.rubric;

/** Whether judges may be trusted, pairs and rubrics. */
export const adapters: Adapters = {
  judgeAgreement: ({ rows, gold }: Rows & { gold?: Row[] }, options: AgreementOptions) =>
    judgeAgreement(rows, gold, options),
  goldKindOf: ({ kinds }: { kinds: unknown[] }) => ({ kind: goldKindOf(kinds) }),
  attachLabels({ rows, labels }: { rows: Record<string, unknown>[]; labels: Labels }, options: LabelOptions) {
    const { report } = attachLabels(rows, labels, options);
    const column = (name: string) => rows.map((row) => row[name] ?? null);
    const n_labels = rows.map((row) => (row['gold_labels'] as unknown[] | undefined)?.length ?? 0);
    return { report, gold_reward: column('gold_reward'), gold_kind: column('gold_kind'), n_labels };
  },
  annotatorAgreement: ({ rows }: Rows) => annotatorAgreement(rows),
  async judgeTrust({ rows }: Rows, { judge, ...options }: TrustOptions & { judge?: Table }) {
    const report = await judgeTrust(rows, judge && tableJudge(judge), options);
    return { ...report, n_disagreements: report.disagreements.length };
  },
  judgeProbes: ({ rows }: Rows, { judge, ...options }: ProbeOptions & { judge: Table }) =>
    judgeProbes(rows, tableJudge(judge), options),
  rubricWords: ({ text }: { text: string }) => ({ words: rubricWords(text) }),
  async trustAfterGrade({ rows }: Rows, { mode }: { mode: TrustMode }) {
    const { rows: stamped, trust, note } = await trustAfterGrade(rows, mode);
    const stamps = stamped.map((row) => (row['judge_meta'] as { trust?: unknown } | undefined)?.trust ?? null);
    return { trust, has_note: note !== null, stamps };
  },
  auditGrades: ({ rows }: Rows, { judge, ...options }: AuditOptions & { judge: Table }) =>
    auditGrades(rows, tableJudge(judge), options),
  auditReasonKey: ({ reason, verifier }: { reason: string; verifier: string | null }) => ({
    key: auditReasonKey(reason, verifier),
  }),
  parsePairwise: ({ text }: { text: string }) => parsePairwise(text),
  async judgePairs({ pairs }: { pairs: unknown[] }, { judge, ...options }: { judge: PairTable; swap?: boolean }) {
    const { pairs: judged, report } = await judgePairs(pairs, tablePairJudge(judge), options);
    return { report, pairs: judged.map((pair) => ({ ...(pair['pairwise'] as object), tie: pair['tie'] })) };
  },
  criterionFromObject: ({ criterion }: { criterion: unknown }) => criterionFromObject(criterion),
  scoreWithRubric: ({ criteria, results }: { criteria: unknown[]; results: JsonObject }) =>
    scoreWithRubric(rubricFromObject(criteria).criteria, results),
  rubricFromObject({ rubric }: { rubric: unknown }) {
    const { criteria } = rubricFromObject(rubric);
    return { n_criteria: criteria.length, distinct_slugs: new Set(criteria.map(({ slug }) => slug)).size };
  },
  parseCriteriaReply: ({ text }: { text: string }) => parseCriteriaReply(text),
  parseRubricReply: ({ text }: { text: string }) => ({ items: parseRubricReply(text) }),
  async writeRubrics(
    { rows }: Rows,
    { writer, ...options }: { writer: WriterTable; maxHard?: number; overwrite?: boolean },
  ) {
    const { rows: written, report } = await writeRubrics(rows, tableWriter(writer), options);
    return {
      report,
      kinds: written.map((row) => (rubricOf(row)?.criteria ?? []).map(({ kind }) => kind ?? null)),
      sources: written.map((row) => rubricOf(row)?.source ?? null),
    };
  },
  rubricVersion: ({ a, b }: { a: unknown; b: unknown }) => ({
    same: rubricFromObject(a).version === rubricFromObject(b).version,
  }),
};
