import type { CliCommand } from '../command.ts';
import { importCommand } from './import.ts';
import { reportCommand } from './report.ts';

/** Every command, in the order that `--help` lists them. */
export const commands: readonly CliCommand[] = [importCommand, reportCommand];
