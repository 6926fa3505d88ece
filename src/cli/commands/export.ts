import { dirname, join } from 'node:path';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import type { Sink } from '../../core/to-sink.ts';
import { exportableStage } from '../../pipelines/exportable.ts';
import type { AgentCounts } from '../../reports/export/agent-of-row.ts';
import { datasetCard } from '../../reports/export/dataset-card.ts';
import { maskModes } from '../../reports/export/loss-mask.ts';
import type { Row } from '../../rows/row.ts';
import { isOurCard, writeCard } from '../../sinks/card-file.ts';
import type { EnvironmentOptions } from '../../sinks/environment/export-environment.ts';
import { openSet, type SetShape, setFormats } from '../../sinks/open-set.ts';
import { isParquet } from '../../sinks/parquet-file.ts';
import { rowsSource } from '../../sources/rows.ts';
import { agentWords } from '../agent-words.ts';
import { defineCommand } from '../command.ts';
import { type Decider, decider } from '../decisions.ts';
import { droppedBefore } from '../dropped-before.ts';
import { type Exit, exits, type Io } from '../io.ts';
import { dropsOf, rejectionTable } from '../rejections.ts';
import { checkNotRead, isAllRejected, isFileAt, makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { policyFlag, settingsOf, toolsFlag } from '../set-settings.ts';
import { pushAdapter } from './export-adapter.ts';
import { writeEnvironment } from './export-environment.ts';
import { leaving, publishFiles } from './publish.ts';

const options = z.strictObject({
  format: z
    .enum([...setFormats, 'environment', 'adapter'])
    .describe(
      'openai, trl: supervised. pairs, pairs-trl, reward: two rollouts of a prompt. grpo, opsd: prompts. opd: for a teacher to score. rows: as they are. environment: a Python package to train on. adapter: a folder of weights, to push.',
    ),
  out: z
    .string()
    .min(1)
    .optional()
    .describe('File to write (Parquet when it ends in .parquet), or folder of the environment. Whole or not at all.'),
  card: z.boolean().default(false).describe('Also write README.md beside the file: the card of the set.'),
  tools: toolsFlag,
  policy: policyFlag,
  maskMode: z.enum(maskModes).default('assistant').describe("Trained turns: all of the agent's, or its last."),
  unroll: z.boolean().default(false).describe("One sample for each of the agent's turns."),
  maxToolOutputChars: z.int().min(0).optional().describe('Longer tool output is cut and says so.'),
  keepThink: z.boolean().default(false).describe('Keep <think> blocks: for a student that is to reason.'),
  keepCut: z.boolean().default(false).describe('Also export rows whose source was cut before the end.'),
  holdout: z.number().min(0).lt(1).default(0.2).describe('environment: share of the situations that is held out.'),
  lo: z.number().min(0).max(1).default(0.2).describe('Prompts, environment: lowest pass rate of a task.'),
  hi: z.number().min(0).max(1).default(0.8).describe('Prompts, environment: highest pass rate of a task.'),
  reward: z
    .string()
    .optional()
    .describe('environment: who grades, module:name or an address; the checklist by default.'),
  execute: z.string().optional().describe('environment: who answers the tools in the place of the mock world.'),
  minMargin: z.number().gt(0).optional().describe('Pairs: least difference of the two rewards; 1 by default.'),
  ...leaving,
  json: z.boolean().default(false).describe('Write the report to stdout as JSON.'),
});

export const exportCommand = defineCommand({
  name: 'export',
  args: '<rows...>',
  summary: 'Write rows as a file that trainers load, without answer keys, or push them.',
  options,
  examples: [
    'tracemill export out/selected.jsonl --format trl --out out/train.jsonl',
    'tracemill export out/selected.jsonl --format grpo --out out/prompts.parquet --card',
    'tracemill export out/graded.jsonl --format environment --out out/my-agent',
    'tracemill export out/adapter --format adapter --push-to owner/name',
  ],
  async run(
    paths,
    { out, format, card, tools, policy, json, keepThink, holdout, lo, hi, reward, execute, ...rest },
    io,
  ) {
    const { strictHacks, endorsed, against, ungated, pushTo, tag, tokenFile, license, ...shape } = rest;
    const { public: isPublic, ...training } = shape;
    const way = { strictHacks, endorsed, against, ungated, pushTo, tag, tokenFile, license, public: isPublic };
    if (format === 'adapter') return pushAdapter(paths, way, json, io);
    if (out === '-' || (out === undefined && pushTo === undefined))
      throw new TracemillError('TM_OPTIONS', 'export: --out needs a file; it appears whole or not at all');
    if (pushTo === undefined && (strictHacks || against.length > 0 || endorsed.length > 0))
      throw new TracemillError(
        'TM_OPTIONS',
        'export: --against, --endorsed and --strict-hacks are questions to the gate, and a file that is not pushed is not asked: use publish --out, or name --push-to',
      );
    const settings = await settingsOf(paths, { tools, policy });
    if (format === 'environment') {
      if (out === undefined || pushTo !== undefined)
        throw new TracemillError(
          'TM_OPTIONS',
          'export: an environment is a package: it needs --out, and is not pushed',
        );
      await makeFolderOf(out);
      const custom = { ...(reward && { reward }), ...(execute && { execute }) };
      const systemPrompt = settings.runPrompt ?? '';
      const options = {
        tools: settings.runTools,
        systemPrompt,
        holdout,
        ensureHoldout: true,
        band: [lo, hi],
        ...custom,
      };
      return writeEnvironment(paths, { out, isJson: json, options: options as EnvironmentOptions }, io);
    }
    const how: SetShape = { ...settings, ...training, stripThink: !keepThink, band: [lo, hi] };
    if (out !== undefined) {
      const written = await writeFileOf(paths, { out, format, how, card, license, isJson: json }, io);
      if (written !== exits.done || pushTo === undefined) return written;
    }
    const set = { format, isParquet: out !== undefined && isParquet(out), band: [lo, hi] as const, holdout: 0 };
    return publishFiles(
      paths,
      { out: undefined, set, shape: how, isJson: json && out === undefined, leaving: way },
      io,
    );
  },
});

interface Wanted {
  readonly out: string;
  readonly format: (typeof setFormats)[number];
  readonly how: SetShape;
  readonly card: boolean;
  readonly license: string | undefined;
  readonly isJson: boolean;
}

async function writeFileOf(
  paths: readonly string[],
  { out, format, how, card, license, isJson }: Wanted,
  io: Io,
): Promise<Exit> {
  await checkNotRead(paths, out);
  await makeFolderOf(out);
  const readme = join(dirname(out), 'README.md');
  if (card) await isOurCard(readme);
  const decide = decider('export', out) as Decider; // it is a file
  const sink = openSet(format, out, how, { decisions: decide.log });
  const rows: Row[] = [];
  const { counts, rejected, isStopped } = await runRows(io, {
    source: rowsSource({ paths: [...paths] }),
    stages: [exportableStage()],
    sinks: { exportable: card ? alsoInto(rows, sink) : sink },
    rejected: rejectedBeside(out),
    left: decide.left,
    words: (now) => `export: ${rowsOf(now, 'source', 'out')} rows`,
  });
  await decide.log.finish();
  const report: Said = sink.report() ?? {};
  const { path = null, n_written = 0 } = report;
  if (card && path !== null) {
    const splits = [
      { split: 'train', path: out.slice(dirname(out) === '.' ? 0 : dirname(out).length + 1), n: n_written },
    ];
    const dropped = [...(await droppedBefore(paths)), ...dropsOf('export', rejected)];
    await writeCard(
      readme,
      datasetCard({ name: splits[0]?.path ?? out, format, rows, splits, gate: null, dropped, license }),
    );
  }
  if (isJson) io.out(`${stringifyJson({ ...report, rejected })}\n`);
  else {
    io.say(`${n_written} lines of ${rowsOf(counts, 'source', 'out')} rows in ${path ?? 'no file'}.`);
    for (const said of agentWords(report)) io.say(said);
    for (const said of report.warnings ?? []) io.say(`Warning: ${said}`);
    for (const said of report.notes ?? []) io.say(said);
    io.say(`\n${rejectionTable(rejected)}`);
  }
  const isOld = path === null && (await isFileAt(out));
  if (isOld) io.say(`${out} is of an earlier run: nothing of this one is in it.`);
  if (isStopped) io.say('Stopped: the file holds the rows read so far. Run it again.');
  if (isStopped) return exits.stopped;
  return isOld || isAllRejected(counts) ? exits.worldFailed : exits.done;
}

/** What sets of every format say. */
interface Said extends Partial<AgentCounts> {
  readonly path?: string | null;
  readonly n_written?: number;
  readonly warnings?: readonly string[];
  readonly notes?: readonly string[];
}

const alsoInto = (rows: Row[], sink: Sink<Row>): Sink<Row> => ({
  ...sink,
  async write(batch, origins) {
    await sink.write(batch, origins);
    rows.push(...batch);
  },
});
