import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import { exportableStage } from '../../pipelines/exportable.ts';
import { maskModes } from '../../reports/export/loss-mask.ts';
import { trainingSet } from '../../sinks/training-set.ts';
import { rowsSource } from '../../sources/rows.ts';
import { readRunMeta } from '../../sources/run-meta.ts';
import { defineCommand } from '../command.ts';
import { exits } from '../io.ts';
import { readInput, readTools } from '../read-inputs.ts';
import { rejectionCounts, rejectionTable } from '../rejections.ts';
import { isAllRejected, makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';

const options = z.strictObject({
  format: z
    .enum(['openai', 'trl'])
    .describe('openai: messages and a loss mask. trl: conversational, arguments as objects.'),
  out: z.string().min(1).describe('Training file to write. It appears whole or not at all.'),
  tools: z.string().optional().describe("Tool list (JSON or YAML); the run's own by default."),
  policy: z.string().optional().describe("File with the system prompt; the run's own by default."),
  maskMode: z.enum(maskModes).default('assistant').describe("Trained turns: all of the agent's, or its last."),
  unroll: z.boolean().default(false).describe("One sample for each of the agent's turns."),
  maxToolOutputChars: z.int().min(0).optional().describe('Longer tool output is cut and says so.'),
  keepThink: z.boolean().default(false).describe('Keep <think> blocks: for a student that is to reason.'),
  keepCut: z.boolean().default(false).describe('Also export rows whose source was cut before the end.'),
  json: z.boolean().default(false).describe('Write the report to stdout as JSON.'),
});

export const exportCommand = defineCommand({
  name: 'export',
  args: '<rows...>',
  summary: 'Write rows as a file that trainers load, without answer keys.',
  options,
  examples: ['tracemill export out/selected.jsonl --format trl --out out/train.jsonl'],
  async run(paths, { out, tools: toolsPath, policy, json, keepThink, ...shape }, io) {
    if (out === '-')
      throw new TracemillError('TM_OPTIONS', 'export: --out needs a file; it appears whole or not at all');
    await makeFolderOf(out);
    const [first = ''] = paths;
    const run = await readRunMeta(first);
    const tools = toolsPath === undefined ? (run?.tools ?? undefined) : [...(await readTools(toolsPath))];
    const systemPrompt = policy === undefined ? run?.system_prompt : await readInput(policy, '--policy');
    const sink = trainingSet({
      ...shape,
      path: out,
      stripThink: !keepThink,
      ...(systemPrompt && { systemPrompt }),
      ...(tools && tools.length > 0 && { tools: [...tools] }),
    });
    const { counts, isStopped } = await runRows(io, {
      source: rowsSource({ paths: [...paths] }),
      stages: [exportableStage()],
      sinks: { exportable: sink },
      rejected: rejectedBeside(out),
      words: (now) => `export: ${rowsOf(now, 'source', 'out')} rows`,
    });
    const report = sink.report();
    const rejected = rejectionCounts(counts);
    if (json) io.out(`${stringifyJson({ ...report, rejected })}\n`);
    else {
      io.say(
        `${report?.n_written ?? 0} samples of ${rowsOf(counts, 'source', 'out')} rows in ${report?.path ?? 'no file'}.`,
      );
      for (const said of report?.warnings ?? []) io.say(`Warning: ${said}`);
      for (const said of report?.notes ?? []) io.say(said);
      io.say(`\n${rejectionTable(rejected)}`);
    }
    if (isStopped) io.say('Stopped: the file holds the rows read so far. Run it again.');
    if (isStopped) return exits.stopped;
    return isAllRejected(counts) ? exits.worldFailed : exits.done;
  },
});
