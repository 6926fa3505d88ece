import { z } from 'zod';
import type { JsonObject } from '../../../core/json-object.ts';
import { parseOptions, type Rejection } from '../../../core/operator.ts';
import { asNotes } from '../../../core/remarks.ts';
import { gramIndex, type SharedGrams } from '../../../text/gram-index.ts';
import { wordsOf } from '../../../text/words.ts';
import type { Account } from '../../select/account.ts';
import { type EvalSet, readEvalSet, sequenceOf, taskOf } from './eval-texts.ts';
import { lexicalLikeness } from './lexical-likeness.ts';
import { type Embedder, semanticMatcher } from './semantic-matcher.ts';

const options = z.strictObject({
  n: z.int().min(1).default(8).describe('Words of an n-gram; a shorter text matches only as a whole.'),
  fields: z.array(z.string()).min(1).default(['prompt']).describe('Fields of the training rows that are compared.'),
  overlap: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('Share of words in shared n-grams from which a text is a near copy; 0: any.'),
  coverage: z
    .enum(['either', 'row'])
    .default('either')
    .describe('Whose words the share is of: the row or the evaluation text, whichever is more, or the row alone.'),
  embedder: z
    .custom<Embedder>((value) => typeof value === 'function', 'a function of a text')
    .optional()
    .describe('Gives the meaning of a text as numbers; without it only words are compared.'),
  similarity: z.number().gt(0).max(1).default(0.85).describe('Cosine from which two texts mean the same.'),
});
type Options = z.output<typeof options>;

/** The rules, in the order they are asked. A row counts under the first that hits. */
export const contaminationRules = ['same_task', 'exact', 'near', 'semantic'] as const;
export type ContaminationRule = (typeof contaminationRules)[number];

/** Why one row repeats an evaluation. */
export interface ContaminationMatch {
  readonly rule: ContaminationRule;
  readonly field: string;
  /** `same_task`, `exact`, `semantic`, or the first shared n-gram. */
  readonly match: string;
  /** Share of the row's words that are covered. */
  readonly coverage?: number;
  /** Share of the evaluation text's words that the row holds. */
  readonly eval_coverage?: number;
  readonly similarity?: number;
  readonly eval_prompt?: string;
  readonly task?: string;
}

/**
 * Drop training rows that repeat an evaluation: its tasks, its texts word for word in any script, near copies by shared word
 * n-grams on either side, and with an embedder texts that mean the same. One word changed in the middle of a short prompt, a
 * reordering or a paraphrase pass every rule of words: `lexical_likeness` reports such rows without dropping them.
 *
 * @param against - evaluation rows: one list, or several
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source GPT-3 (arXiv:2005.14165); Llama 2 (arXiv:2307.09288); Tulu 3 (arXiv:2411.15124)
 */
export function decontaminate<R extends JsonObject>(
  rows: readonly R[],
  against: readonly unknown[],
  given: z.input<typeof options> = {},
): Account<R, DecontaminationReport> {
  const opts = parseOptions('decontaminate', options, given);
  const evals = readEvalSet(against);
  const { matchOf, remarks } = matcher(evals, opts);
  const kept: R[] = [];
  const rejected: Rejection<R>[] = [];
  const matches: (ContaminationMatch & { readonly index: number })[] = [];
  rows.forEach((row, index) => {
    const match = matchOf(row);
    if (!match) {
      kept.push(row);
      return;
    }
    matches.push({ index, ...match });
    rejected.push({ row, by: 'decontaminate', reason: match.rule });
  });
  const count = (rule: ContaminationRule) => matches.filter((match) => match.rule === rule).length;
  const report = {
    n: rows.length,
    n_kept: kept.length,
    n_contaminated: matches.length,
    contamination_rate: rows.length === 0 ? 0 : matches.length / rows.length,
    n_same_task: count('same_task'),
    n_exact: count('exact'),
    n_near: count('near'),
    n_semantic: count('semantic'),
    n_eval_rows: evals.n_rows,
    n_eval_texts: evals.texts.length,
    ngram: opts.n,
    overlap: opts.overlap,
    coverage: opts.coverage,
    similarity: opts.embedder ? opts.similarity : null,
    fields: opts.fields,
    by_field: countsOf(matches.map(({ field }) => field)),
    examples: matches.slice(0, 20).map(({ rule: _, ...example }) => example),
    /** Rules that could not hit anything: a zero under them clears nothing. */
    rules_skipped: rulesSkipped(rows, evals, opts),
    lexical_likeness: lexicalLikeness(kept, evals, opts.fields),
    ...asNotes(remarks),
  };
  return { kept, rejected, report };
}

export interface DecontaminationReport {
  readonly n: number;
  readonly n_kept: number;
  readonly n_contaminated: number;
  readonly contamination_rate: number;
  readonly n_same_task: number;
  readonly n_exact: number;
  readonly n_near: number;
  readonly n_semantic: number;
  readonly n_eval_rows: number;
  readonly n_eval_texts: number;
  readonly ngram: number;
  readonly overlap: number;
  readonly coverage: 'either' | 'row';
  readonly similarity: number | null;
  readonly fields: readonly string[];
  readonly by_field: Readonly<Record<string, number>>;
  readonly examples: readonly (Omit<ContaminationMatch, 'rule'> & { readonly index: number })[];
  readonly rules_skipped: Readonly<Record<string, string>>;
  readonly lexical_likeness: ReturnType<typeof lexicalLikeness>;
  readonly notes: readonly string[];
  readonly note_codes: readonly string[];
}

/** Make the rules ready for one evaluation: it is their state, rows then come one by one. */
function matcher(evals: EvalSet, opts: Options) {
  const sequences = new Set(evals.texts.map(({ text }) => sequenceOf(text)));
  const index = gramIndex({ n: opts.n, overlap: opts.overlap, side: opts.coverage === 'row' ? 'looked_up' : 'either' });
  for (const { words } of evals.texts) index.add(words);
  const semantic = opts.embedder && semanticMatcher(evals, opts.embedder, opts.similarity);
  const near = (text: string, field: string): ContaminationMatch | undefined => {
    const best = bestOf(index.lookUp(wordsOf(text)), opts);
    if (!best) return undefined;
    const [coverage, eval_coverage] = [round3(best.coverage), round3(best.indexCoverage)];
    return { rule: 'near', field, match: best.gram, coverage, eval_coverage };
  };
  const matchOf = (row: JsonObject): ContaminationMatch | undefined => {
    const task = taskOf(row);
    if (task !== undefined && evals.tasks.has(task))
      return { rule: 'same_task', field: 'task', match: 'same_task', coverage: 1, task };
    const texts = opts.fields.flatMap((field) => {
      const text = row[field];
      return typeof text === 'string' && text.trim() !== '' ? [{ field, text }] : [];
    });
    const same = texts.find(({ text }) => sequences.has(sequenceOf(text)));
    if (same) return { rule: 'exact', field: same.field, match: 'exact', coverage: 1, eval_coverage: 1 };
    for (const { field, text } of texts) {
      const match = near(text, field);
      if (match) return match;
    }
    for (const { field, text } of semantic ? texts : []) {
      const match = semantic?.match(text, task);
      if (match) return { rule: 'semantic', field, match: 'semantic', ...match };
    }
    return undefined;
  };
  return { matchOf, remarks: semantic?.remarks ?? [] };
}

function bestOf(shared: readonly SharedGrams[], { coverage: side }: Options): SharedGrams | undefined {
  const share = ({ coverage, indexCoverage }: SharedGrams) =>
    side === 'row' ? coverage : Math.max(coverage, indexCoverage);
  return shared.reduce<SharedGrams | undefined>((top, one) => (top && share(top) >= share(one) ? top : one), undefined);
}

function rulesSkipped(rows: readonly JsonObject[], evals: EvalSet, { fields, n, embedder }: Options) {
  const skipped: Record<string, string> = {};
  if (evals.tasks.size === 0) skipped['same_task'] = 'no evaluation row carries a task id';
  else if (!rows.some((row) => taskOf(row) !== undefined)) skipped['same_task'] = 'no training row carries a task id';
  const isLong = (text: unknown) => typeof text === 'string' && wordsOf(text).length >= n;
  if (!evals.texts.some(({ words }) => words.length >= n)) skipped['near'] = `no evaluation text has ${n} words`;
  else if (!rows.some((row) => fields.some((field) => isLong(row[field]))))
    skipped['near'] = `no training text has ${n} words`;
  if (!embedder) skipped['semantic'] = 'no embedder was given';
  return skipped;
}

function countsOf(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

const round3 = (value: number): number => Math.round(value * 1000) / 1000;
