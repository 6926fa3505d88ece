import { z } from 'zod';
import type { JsonObject } from '../../../core/json-object.ts';
import { parseOptions, type Rejection } from '../../../core/operator.ts';
import { asNotes } from '../../../core/remarks.ts';
import { wordsOf } from '../../../text/words.ts';
import type { Account } from '../../select/account.ts';
import type { ContaminationMatch, ContaminationRule } from './contamination-match.ts';
import { type EvalSet, readEvalSet, taskOf } from './eval-texts.ts';
import { lexicalLikeness } from './lexical-likeness.ts';
import { fieldTexts, lexicalMatcher, lexicalOptions } from './lexical-matcher.ts';
import { type Embedder, semanticMatcher } from './semantic-matcher.ts';

const options = z.strictObject({
  ...lexicalOptions,
  embedder: z
    .custom<Embedder>((value) => typeof value === 'function', 'a function of a text')
    .optional()
    .describe('Gives the meaning of a text as numbers; without it only words are compared.'),
  similarity: z.number().gt(0).max(1).default(0.85).describe('Cosine from which two texts mean the same.'),
});
type Options = z.output<typeof options>;

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
  const lexical = lexicalMatcher(opts);
  for (const task of evals.tasks) lexical.addTask(task);
  for (const text of evals.texts) lexical.addText(text);
  const semantic = opts.embedder && semanticMatcher(evals, opts.embedder, opts.similarity);
  const matchOf = (row: JsonObject): ContaminationMatch | undefined => {
    const match = lexical.matchOf(row);
    if (match || !semantic) return match;
    for (const { field, text } of fieldTexts(row, opts.fields)) {
      const meant = semantic.match(text, taskOf(row));
      if (meant) return { rule: 'semantic', field, match: 'semantic', ...meant };
    }
    return undefined;
  };
  return { matchOf, remarks: semantic?.remarks ?? [] };
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
