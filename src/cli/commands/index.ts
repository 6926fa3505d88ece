import type { CliCommand } from '../command.ts';

/** Every command, in the order that `--help` lists them. */
export const commands: readonly CliCommand[] = [];
