import type { Judge } from '../../judges/judge.ts';
import type { Embed } from './embed.ts';

/** Who has a last word on rows that have all landed. */
export interface Finishers {
  /** Grades by rules, where no grader of the caller did. */
  readonly conduct: Judge | undefined;
  /** A model whose verdict stands beside the reward. */
  readonly llm: Judge | undefined;
  /** Compares asks by meaning. */
  readonly embed: Embed | undefined;
}
