import { type Decision, decisionOf, type Said } from '../../../rows/decision.ts';
import { deliveryId } from '../../../rows/delivery-key.ts';
import type { Retraction } from '../../../rows/retraction.ts';
import type { Row } from '../../../rows/row.ts';
import { taskKey } from '../../../rows/task-key.ts';
import type { ContaminationMatch } from './contamination-match.ts';
import { readEvalSet } from './eval-texts.ts';
import { type LexicalOptions, lexicalMatcher } from './lexical-matcher.ts';
import { trainedTexts } from './trained-texts.ts';

/** Know an evaluation that grows, and say of each training row whether it repeats what is known by then. */
export function knownEvaluation(options: LexicalOptions) {
  const matcher = lexicalMatcher(options);
  return {
    add(evaluation: Row): void {
      const { tasks, texts } = readEvalSet([evaluation]);
      for (const task of tasks) matcher.addTask(task);
      for (const text of texts) matcher.addText(text);
    },
    matchOf: matcher.matchOf,
  };
}

/** Know the training rows that were passed on, and take back those that an evaluation row contaminates, each once. */
export function knownTraining(options: LexicalOptions) {
  const texts = trainedTexts(options);
  const facts = new Map<string, { readonly task_id: string; readonly decision: Decision }>();
  return {
    add(row: Row): void {
      const id = deliveryId(row);
      if (facts.has(id)) return;
      texts.add(id, row);
      facts.set(id, { task_id: taskKey(row), decision: decisionOf(row, left) });
    },
    retractedBy: (evaluation: Row): readonly Retraction[] =>
      texts.hitBy(evaluation).flatMap(({ id, match }) => {
        const known = facts.get(id);
        if (!known) return [];
        const gate = { gate: 'evaluation', passed: false, reason: match.rule, numbers: numbersOf(match, evaluation) };
        return [
          { row_id: id, task_id: known.task_id, decision: { ...known.decision, reason: match.rule, gates: [gate] } },
        ];
      }),
  };
}

const left: Said = { step: 'traceToTraining', decision: 'left', by: 'evaluation' };

function numbersOf({ field, coverage, eval_coverage }: ContaminationMatch, evaluation: Row) {
  return {
    field,
    coverage: coverage ?? null,
    eval_coverage: eval_coverage ?? null,
    evaluation_task: taskKey({ ...evaluation, prompt: '' }) || null, // its id, never its text
  };
}

/**
 * Both sides in one place: evaluation rows and training rows in any order. What is kept and not taken back in the end is what
 * `decontaminate` keeps when it knows all of them.
 */
export function evaluationGuard(options: LexicalOptions) {
  const [evaluation, training] = [knownEvaluation(options), knownTraining(options)];
  const gone = new Set<string>();
  return {
    evaluation(row: Row): readonly Retraction[] {
      evaluation.add(row);
      const fresh = training.retractedBy(row).filter(({ row_id }) => !gone.has(row_id));
      for (const { row_id } of fresh) gone.add(row_id);
      return fresh;
    },
    /** Undefined: the row is kept for now. */
    training(row: Row): ContaminationMatch | undefined {
      const match = evaluation.matchOf(row);
      if (!match) training.add(row);
      return match;
    },
  };
}
