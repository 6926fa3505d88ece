import type { JsonObject } from '../../../core/json-object.ts';
import { gramIndex } from '../../../text/gram-index.ts';
import { wordsOf } from '../../../text/words.ts';
import type { ContaminationMatch } from './contamination-match.ts';
import { type EvalText, readEvalSet, sequenceOf, taskOf } from './eval-texts.ts';
import { exactMatch, fieldTexts, type LexicalOptions, nearMatch, sameTask } from './lexical-matcher.ts';

/** What an evaluation row hits among the training rows that came before it. */
export interface Hit {
  readonly id: string;
  readonly match: ContaminationMatch;
}

/**
 * Know the training rows by their tasks and texts, to find those that an evaluation row contaminates: the rules of
 * `decontaminate`, asked from the other side. Memory: an id, and about 30 bytes for each n-gram of the rows.
 */
export function trainedTexts({ n, fields, overlap, coverage }: LexicalOptions) {
  const known = new Set<string>();
  const byTask = new Map<string, string[]>();
  const bySequence = new Map<string, { readonly id: string; readonly field: string }[]>();
  const owners: { readonly id: string; readonly field: string }[] = []; // of each text of the index
  const index = gramIndex({ n, overlap, side: coverage === 'row' ? 'indexed' : 'either' });
  const ofTask = (task: string): readonly Hit[] =>
    (byTask.get(task) ?? []).map((id) => ({ id, match: sameTask(task) }));
  const repeating = ({ text }: EvalText): readonly Hit[] =>
    (bySequence.get(sequenceOf(text)) ?? []).map(({ id, field }) => ({ id, match: exactMatch(field) }));
  /** Rows that share enough, with the coverages seen from the row. */
  const nearTo = ({ words }: EvalText): readonly Hit[] =>
    index.lookUp(words).flatMap(({ coverage: indexCoverage, indexCoverage: coverage, ...shared }) => {
      const owner = owners[shared.text];
      return owner ? [{ id: owner.id, match: nearMatch(owner.field, { ...shared, coverage, indexCoverage }) }] : [];
    });
  return {
    /** Take a training row, once. */
    add(id: string, row: JsonObject): void {
      if (known.size === known.add(id).size) return;
      const task = taskOf(row);
      if (task !== undefined) push(byTask, task, id);
      for (const { field, text } of fieldTexts(row, fields)) {
        const owner = { id, field };
        push(bySequence, sequenceOf(text), owner);
        index.add(wordsOf(text));
        owners.push(owner);
      }
    },
    /** Every training row that a row of an evaluation contaminates, each under the first rule that hits. */
    hitBy(evaluation: JsonObject): readonly Hit[] {
      const { tasks, texts } = readEvalSet([evaluation]);
      const hits = new Map<string, ContaminationMatch>();
      for (const { id, match } of [
        ...[...tasks].flatMap(ofTask),
        ...texts.flatMap(repeating),
        ...texts.flatMap(nearTo),
      ])
        if (!hits.has(id)) hits.set(id, match);
      return [...hits].map(([id, match]) => ({ id, match }));
    },
  };
}

function push<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const known = lists.get(key);
  if (known) known.push(one);
  else lists.set(key, [one]);
}
