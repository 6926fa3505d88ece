import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import { exportableStage } from '../../pipelines/exportable.ts';
import { maskModes } from '../../reports/export/loss-mask.ts';
import type { EnvironmentOptions } from '../../sinks/environment/export-environment.ts';
import { trainingSet } from '../../sinks/training-set.ts';
import { rowsSource } from '../../sources/rows.ts';
import { readRunMeta } from '../../sources/run-meta.ts';
import { defineCommand } from '../command.ts';
import { exits } from '../io.ts';
import { readInput, readTools } from '../read-inputs.ts';
import { rejectionCounts, rejectionTable } from '../rejections.ts';
import { isAllRejected, makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { writeEnvironment } from './export-environment.ts';

const options = z.strictObject({
  format: z
    .enum(['openai', 'trl', 'environment'])
    .describe(
      'openai: messages and a loss mask. trl: conversational, arguments as objects. environment: a Python package to train on.',
    ),
  out: z.string().min(1).describe('File to write, or folder of the environment. It appears whole or not at all.'),
  tools: z.string().optional().describe("Tool list (JSON or YAML); the run's own by default."),
  policy: z.string().optional().describe("File with the system prompt; the run's own by default."),
  maskMode: z.enum(maskModes).default('assistant').describe("Trained turns: all of the agent's, or its last."),
  unroll: z.boolean().default(false).describe("One sample for each of the agent's turns."),
  maxToolOutputChars: z.int().min(0).optional().describe('Longer tool output is cut and says so.'),
  keepThink: z.boolean().default(false).describe('Keep <think> blocks: for a student that is to reason.'),
  keepCut: z.boolean().default(false).describe('Also export rows whose source was cut before the end.'),
  holdout: z.number().min(0).lt(1).default(0.2).describe('environment: share of the situations that is held out.'),
  lo: z.number().min(0).max(1).default(0.2).describe('environment: lowest pass rate of a task.'),
  hi: z.number().min(0).max(1).default(0.8).describe('environment: highest pass rate of a task.'),
  reward: z
    .string()
    .optional()
    .describe('environment: who grades, module:name or an address; the checklist by default.'),
  execute: z.string().optional().describe('environment: who answers the tools in the place of the mock world.'),
  json: z.boolean().default(false).describe('Write the report to stdout as JSON.'),
});

export const exportCommand = defineCommand({
  name: 'export',
  args: '<rows...>',
  summary: 'Write rows as a file that trainers load, without answer keys.',
  options,
  examples: [
    'tracemill export out/selected.jsonl --format trl --out out/train.jsonl',
    'tracemill export out/graded.jsonl --format environment --out out/my-agent',
  ],
  async run(
    paths,
    { out, format, tools: toolsPath, policy, json, keepThink, holdout, lo, hi, reward, execute, ...shape },
    io,
  ) {
    if (out === '-')
      throw new TracemillError('TM_OPTIONS', 'export: --out needs a file; it appears whole or not at all');
    await makeFolderOf(out);
    const [first = ''] = paths;
    const run = await readRunMeta(first);
    const tools = toolsPath === undefined ? (run?.tools ?? undefined) : [...(await readTools(toolsPath))];
    const systemPrompt = policy === undefined ? run?.system_prompt : await readInput(policy, '--policy');
    if (format === 'environment') {
      const custom = { ...(reward && { reward }), ...(execute && { execute }) };
      const options = {
        tools,
        systemPrompt: systemPrompt ?? '',
        holdout,
        ensureHoldout: true,
        band: [lo, hi],
        ...custom,
      };
      return writeEnvironment(paths, { out, isJson: json, options: options as EnvironmentOptions }, io);
    }
    const sink = trainingSet({
      ...shape,
      format,
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
