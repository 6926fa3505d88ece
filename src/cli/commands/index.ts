import type { CliCommand } from '../command.ts';
import { exportCommand } from './export.ts';
import { gradeCommand } from './grade.ts';
import { importCommand } from './import.ts';
import { reportCommand } from './report.ts';
import { selectCommand } from './select.ts';

/** Every command, in the order that `--help` lists them. */
export const commands: readonly CliCommand[] = [
  importCommand,
  gradeCommand,
  reportCommand,
  selectCommand,
  exportCommand,
];
