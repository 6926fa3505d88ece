import type { z } from 'zod';
import type { Exit, Io } from './io.ts';

/** One command: what it takes, what it says of itself, what it does. */
export interface CliCommand<S extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** As commander reads it: `<file...>`, `[file]`. */
  readonly args: string;
  readonly summary: string;
  /** Its flags, one for each option. */
  readonly options: S;
  /** Lines that run as they stand. */
  readonly examples: readonly string[];
  run(files: readonly string[], options: z.output<S>, io: Io): Promise<Exit>;
}

export const defineCommand = <S extends z.ZodObject>(command: CliCommand<S>): CliCommand =>
  command as unknown as CliCommand; // the options are parsed by its own schema
