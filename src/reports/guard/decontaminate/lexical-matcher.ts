import { z } from 'zod';
import type { JsonObject } from '../../../core/json-object.ts';
import { gramIndex, type SharedGrams } from '../../../text/gram-index.ts';
import { wordsOf } from '../../../text/words.ts';
import type { ContaminationMatch } from './contamination-match.ts';
import { type EvalText, sequenceOf, taskOf } from './eval-texts.ts';

/** Options of everything that compares rows with an evaluation word by word: spread them into its own. */
export const lexicalOptions = {
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
};
export type LexicalOptions = z.output<z.ZodObject<typeof lexicalOptions>>;

/** The fields of a row that are compared, those that hold text. */
export const fieldTexts = (row: JsonObject, fields: readonly string[]) =>
  fields.flatMap((field) => {
    const text = row[field];
    return typeof text === 'string' && text.trim() !== '' ? [{ field, text }] : [];
  });

/** The rules that need no embedder, against an evaluation that may grow between rows. */
export function lexicalMatcher({ n, fields, overlap, coverage }: LexicalOptions) {
  const tasks = new Set<string>();
  const sequences = new Set<string>();
  const index = gramIndex({ n, overlap, side: coverage === 'row' ? 'looked_up' : 'either' });
  const near = (text: string, field: string): ContaminationMatch | undefined => {
    const best = bestOf(index.lookUp(wordsOf(text)), coverage);
    return best && nearMatch(field, best);
  };
  return {
    addTask: (task: string): void => void tasks.add(task),
    addText({ text, words }: EvalText): void {
      const sequence = sequenceOf(text);
      if (sequences.has(sequence)) return;
      sequences.add(sequence);
      index.add(words);
    },
    /** Why a row repeats what is known of the evaluation by now: the first rule that hits. */
    matchOf(row: JsonObject): ContaminationMatch | undefined {
      const task = taskOf(row);
      if (task !== undefined && tasks.has(task)) return sameTask(task);
      const texts = fieldTexts(row, fields);
      const same = texts.find(({ text }) => sequences.has(sequenceOf(text)));
      if (same) return exactMatch(same.field);
      for (const { field, text } of texts) {
        const match = near(text, field);
        if (match) return match;
      }
      return undefined;
    },
  };
}

export const sameTask = (task: string): ContaminationMatch => ({
  rule: 'same_task',
  field: 'task',
  match: 'same_task',
  coverage: 1,
  task,
});
export const exactMatch = (field: string): ContaminationMatch => ({
  rule: 'exact',
  field,
  match: 'exact',
  coverage: 1,
  eval_coverage: 1,
});
export const nearMatch = (field: string, { gram, coverage, indexCoverage }: SharedGrams): ContaminationMatch => ({
  rule: 'near',
  field,
  match: gram,
  coverage: round3(coverage),
  eval_coverage: round3(indexCoverage),
});

function bestOf(shared: readonly SharedGrams[], side: LexicalOptions['coverage']): SharedGrams | undefined {
  const share = ({ coverage, indexCoverage }: SharedGrams) =>
    side === 'row' ? coverage : Math.max(coverage, indexCoverage);
  return shared.reduce<SharedGrams | undefined>((top, one) => (top && share(top) >= share(one) ? top : one), undefined);
}

const round3 = (value: number): number => Math.round(value * 1000) / 1000;
