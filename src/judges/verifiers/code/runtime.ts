import type { Inmate } from './cage.ts';
import type { CodeLimits } from './run-program.ts';

/** What runs the code of a language. */
export interface Runtime {
  /** The command line of its harness. */
  harness(limits: CodeLimits): readonly string[];
  readonly inmate: Inmate;
}
