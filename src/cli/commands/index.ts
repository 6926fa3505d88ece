import type { CliCommand } from '../command.ts';
import { compareCommand } from './compare.ts';
import { evalCommand } from './eval.ts';
import { exportCommand } from './export.ts';
import { gradeCommand } from './grade.ts';
import { importCommand } from './import.ts';
import { labelCommand } from './label.ts';
import { listenCommand } from './listen.ts';
import { monitorCommand } from './monitor.ts';
import { partsCommand } from './parts.ts';
import { publishCommand } from './publish.ts';
import { reportCommand } from './report.ts';
import { runCommand } from './run.ts';
import { selectCommand } from './select.ts';
import { serveCommand } from './serve.ts';
import { simulateCommand } from './simulate.ts';
import { stageCommand } from './stage.ts';
import { startCommand } from './start.ts';
import { topicsCommands } from './topics.ts';
import { tracesCommand } from './traces.ts';
import { trustCommand } from './trust.ts';
import { whyCommand } from './why.ts';

/** Every command, in the order that `--help` lists them. */
export const commands: readonly CliCommand[] = [
  startCommand,
  importCommand,
  tracesCommand,
  listenCommand,
  serveCommand,
  monitorCommand,
  simulateCommand,
  evalCommand,
  gradeCommand,
  labelCommand,
  trustCommand,
  reportCommand,
  compareCommand,
  selectCommand,
  exportCommand,
  partsCommand,
  publishCommand,
  whyCommand,
  runCommand,
  stageCommand,
  ...topicsCommands,
];
