import { stringifyJson } from '../../core/json.ts';
import type { Row } from '../../rows/row.ts';
import { type EnvironmentOptions, exportEnvironment } from '../../sinks/environment/export-environment.ts';
import { rowsSource } from '../../sources/rows.ts';
import { found } from '../found.ts';
import { type Exit, exits, type Io } from '../io.ts';
import { rejectionTable } from '../rejections.ts';
import { readRows, rowsOf } from '../run-rows.ts';

interface Wanted {
  readonly out: string;
  readonly isJson: boolean;
  readonly options: EnvironmentOptions;
}

/** The part of `export` that writes an environment: it needs all rows, as a task is all rows of a prompt. */
export async function writeEnvironment(
  paths: readonly string[],
  { out, isJson, options }: Wanted,
  io: Io,
): Promise<Exit> {
  const rows: Row[] = [];
  const { isStopped, rejected } = await readRows(io, {
    source: rowsSource({ paths: [...paths] }),
    each: (row) => rows.push(row),
    words: (now) => `export: ${rowsOf(now, 'source', 'out')} rows`,
  });
  if (isStopped) {
    io.say('Stopped: no environment was written. Run it again.');
    return exits.stopped;
  }
  const about = found();
  for (const row of rows) about.row(row);
  const said = about.end();
  const agent = {
    systemPrompt: options.systemPrompt || (said.systemPrompt ?? ''),
    tools: options.tools ?? said.tools,
  };
  const report = await exportEnvironment(rows, out, { ...options, ...agent });
  if (!options.systemPrompt && said.prompts.n > 1)
    io.say(
      `Warning: the rows have ${said.prompts.n} different system prompts, and an environment has one: it is the first of them`,
    );
  if (isJson) io.out(`${stringifyJson({ ...report, rejected })}\n`);
  else {
    io.say(`${report.train} training and ${report.holdout} held-out tasks of ${rows.length} rows in ${report.path}.`);
    for (const said of report.warnings) io.say(`Warning: ${said}`);
    for (const said of report.notes) io.say(said);
    io.say(`\n${rejectionTable(rejected)}`);
    io.say(`\nNext: pip install -e ${out}; its README says how to run it.`);
  }
  return exits.done;
}
