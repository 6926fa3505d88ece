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
