import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { createCounters, type OperatorCounts } from '../../core/counters.ts';
import { TracemillError } from '../../core/errors.ts';
import { idOf } from '../../core/ids.ts';
import { stringifyJson } from '../../core/json.ts';
import { partsOf } from '../../pipelines/parts.ts';
import type { OpenPipeline } from '../../pipelines/pipeline.ts';
import { runOnKafka } from '../../pipelines/run-on-kafka.ts';
import { tellRun } from '../../pipelines/side-topics.ts';
import { topicName } from '../../pipelines/topics.ts';
import { nextMeta } from '../../rows/run-meta.ts';
import type { RunRecord } from '../../rows/run-record.ts';
import { writeRunMeta } from '../../sinks/run-meta.ts';
import { withAdmin } from '../../sources/kafka-admin.ts';
import type { KafkaBus } from '../../sources/kafka-bus.ts';
import { groupLag, type LetterCount, lagReport } from '../../sources/kafka-lag.ts';
import { openBus } from '../brokers.ts';
import { defineCommand } from '../command.ts';
import { flagsOf } from '../flags.ts';
import { type Exit, exits, type Io } from '../io.ts';
import { fileSinks, type OpenRun, openRun, type RunFlags, runFlags } from '../open-run.ts';
import { progress } from '../progress.ts';
import { type RejectionCount, rejectionCounts, rejectionTable } from '../rejections.ts';
import { isAllRejected, makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { checkSameRun } from '../same-run.ts';
import { startWorkers } from '../supervise.ts';
import { table } from '../table.ts';
import { verdictsFailed } from '../verdicts-failed.ts';
import { watched } from '../watched.ts';

const options = z.strictObject({
  bus: z.enum(['memory', 'kafka']).optional().describe('What joins the stages: memory without a word of it.'),
  workers: z
    .int()
    .min(1)
    .optional()
    .describe('Processes that share the stages, on Kafka; without it they all run in this one.'),
  json: z.boolean().default(false).describe('Write the counts to stdout as JSON; needs --out.'),
  ...runFlags,
});

export const runCommand = defineCommand({
  name: 'run',
  args: '[pipeline]',
  summary: 'Run a pipeline by its name: in memory, or over Kafka topics in one process or many.',
  options,
  examples: [
    'tracemill run evaluate --in out/rows.jsonl --judge ./judge.mjs --out out/graded.jsonl',
    'tracemill run evaluate --bus kafka --brokers localhost:9092 --workers 4 --config tracemill.yaml',
  ],
  async run([name], flags, io) {
    const run = await openRun(name, flags, io);
    const { config } = run.found;
    const bus = flags.bus ?? config.bus ?? 'memory';
    if (bus === 'kafka') return overTopics(run, flags, flags.workers ?? config.workers, io);
    if (flags.workers !== undefined || flags.brokers !== undefined || flags.transactional)
      throw new TracemillError('TM_OPTIONS', 'run: --workers, --brokers and --transactional need --bus kafka');
    return inMemory(run, flags.json, io);
  },
});

async function inMemory({ outs, ...run }: OpenRun, json: boolean, io: Io): Promise<Exit> {
  const { pipeline, opened, settings, found } = run;
  if (!opened.source)
    throw new TracemillError('TM_OPTIONS', `${pipeline.name}: no rows go in; name files by --in, or in the config`);
  const files = opened.sinks?.[opened.out] || outs[opened.out] ? outs : { ...outs, [opened.out]: '-' };
  const main = files[opened.out] ?? opened.place ?? '-';
  for (const path of Object.values(files)) await makeFolderOf(path);
  if (opened.place !== undefined) await begin(opened.place, { ...settings, bus: 'memory' });
  const { maxInFlight = opened.maxInFlight } = found.config;
  const { counts, rejected, isStopped } = await runRows(io, {
    source: opened.source,
    feedback: opened.feedback,
    stages: opened.stages,
    sinks: { ...opened.sinks, ...fileSinks({ ...run, outs: files }, { isContinued: false, stop: io.stop }) },
    rejected: rejectedBeside(main),
    ...(maxInFlight !== undefined && { maxInFlight }),
    words: (now) => `${pipeline.name}: ${rowsOf(now, 'sink', 'out')} rows written`,
  });
  if (main !== '-' && main !== opened.place) await writeRunMeta(main, nextMeta(undefined, 'run', settings));
  tell({ files: { ...setOf(opened), ...files }, counts, rejected, json: json && main !== '-' }, io);
  if (isStopped) io.say('Stopped: what moved was finished. The files end in .partial; run it again.');
  if (isStopped) return exits.stopped;
  const failed = verdictsFailed(counts);
  if (failed !== undefined) io.say(failed);
  return failed !== undefined || isAllRejected(counts) ? exits.worldFailed : exits.done;
}

async function overTopics(run: OpenRun, flags: RunFlags & { json: boolean }, count: number | undefined, io: Io) {
  const { pipeline, opened, prefix, outs, found, settings, harness } = run;
  const { partitions, drainMs = 45_000 } = found.config.kafka;
  const { maxInFlight = opened.maxInFlight } = found.config;
  const sinks = { ...opened.sinks, ...fileSinks(run, { isContinued: true, stop: io.stop }) };
  const names = partsOf(opened.stages, sinks).map((part) => part.name);
  const bus = await openBus(flags, found);
  for (const [kind, path] of Object.entries(outs)) {
    await makeFolderOf(path);
    if (path === '-') continue;
    await checkFile(bus, prefix, kind, path);
    await begin(path, { ...settings, prefix });
  }
  if (opened.place !== undefined) await begin(opened.place, { ...settings, bus: 'kafka', prefix });
  const begun = runRecord({ pipeline: pipeline.name, prefix, settings, harness });
  const counters = createCounters();
  const stored = () => counters.snapshot().filter(({ stage }) => stage.startsWith('sink.'));
  const bar = progress(io, () => `${pipeline.name}: ${rowsOf(stored(), 'sink', 'out')} rows written to files`);
  const own = names.filter((name) => name.startsWith('sink.'));
  const theirs = names.filter((name) => !own.includes(name));
  const workers =
    count === undefined
      ? undefined
      : startWorkers(count, stageCall(theirs, pipeline.name, flags), io, drainMs + graceMs);
  try {
    const work = runOnKafka(opened, {
      bus,
      prefix,
      stop: io.stop,
      transactional: flags.transactional || found.config.kafka.transactional === true,
      onReady: () => tellRun(begun, bus),
      sinks,
      drainMs,
      hooks: counters.hooks,
      ...(partitions !== undefined && { partitions }),
      ...(maxInFlight !== undefined && { maxInFlight }),
      ...(workers && { only: own, others: workers.broken }),
    });
    const watch = { bus, prefix, pipeline: pipeline.name, snapshot: counters.snapshot };
    const ended = await watched(work, watch).catch(async (error: unknown) => {
      await tellRun({ ...begun, ...endedNow(), state: 'failed', reason: String(error) }, bus).catch(() => {}); // the first error is told
      throw error;
    });
    await tellRun({ ...begun, ...endedNow(), state: ended }, bus).catch((error: unknown) => {
      io.say(`All rows are stored; that the run ended is not on the topic \`runs\`: ${String(error)}`);
    });
    await workers?.stop();
    bar.end();
    const letters = await lettersOf(bus, prefix);
    const counts = counters.snapshot();
    tell(
      {
        files: { ...setOf(opened), ...outs },
        counts,
        rejected: rejectionCounts(counts),
        letters,
        json: flags.json && flags.out !== '-',
      },
      io,
    );
    if (ended === 'stopped')
      io.say('Stopped in order: what moved is finished and committed. The same command goes on from there.');
    const failed = verdictsFailed([...counts, ...(workers?.counts ?? [])]);
    if (failed !== undefined) io.say(failed);
    return failed === undefined ? exits.done : exits.worldFailed;
  } finally {
    bar.end();
    await workers?.stop();
  }
}

const graceMs = 15_000;

/** Note what a file or a folder that grows is made with; refuse one that was begun with other settings. */
async function begin(path: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await makeFolderOf(path);
  await checkSameRun(path, 'run', settings);
  await writeRunMeta(path, nextMeta(undefined, 'run', settings));
}

function runRecord({
  pipeline,
  prefix,
  settings,
  harness,
}: Pick<OpenRun, 'prefix' | 'settings' | 'harness'> & { pipeline: string }): RunRecord {
  const { tools, systemPrompt } = harness;
  return {
    run_id: idOf([pipeline, prefix, settings, harness]),
    pipeline,
    prefix,
    state: 'running',
    started_at: new Date().toISOString(),
    settings,
    ...(tools && { tools: tools.map((tool) => ({ ...tool })) }),
    ...(systemPrompt !== undefined && { system_prompt: systemPrompt }),
  };
}

const endedNow = () => ({ ended_at: new Date().toISOString() });

/** The call of a worker: it is set up by the same flags and the same config. */
function stageCall(names: readonly string[], pipeline: string, flags: RunFlags): readonly string[] {
  const { in: _in, out: _out, ...given } = flags;
  return ['stage', ...names, ...flagsOf({ pipeline, ...stageFlagsOnly(given) })];
}

const stageFlagsOnly = ({ json: _, bus: __, workers: ___, ...given }: Readonly<Record<string, unknown>>) => given;

/** A file that is gone cannot be made again of a topic whose rows its group has read. */
async function checkFile(bus: KafkaBus, prefix: string, kind: string, path: string): Promise<void> {
  if (await stat(path).catch(() => undefined)) return;
  const topic = topicName(prefix, kind);
  const group = `${prefix}.sink.${kind}`;
  const read = await withAdmin(bus, async (admin) => {
    const lags = (await admin.listTopics()).includes(topic) ? await groupLag(admin, group, topic) : [];
    return lags.reduce((sum, { committed }) => sum + (committed ?? 0), 0);
  });
  if (read > 0)
    throw new TracemillError(
      'TM_OPTIONS',
      `${path} is not there, and the group ${group} has written ${read} rows to it already: put it back, or take another --prefix`,
    );
}

async function lettersOf(bus: KafkaBus, prefix: string): Promise<readonly LetterCount[]> {
  const { dead_letters } = await withAdmin(bus, (admin) => lagReport(admin, prefix));
  return dead_letters.filter(({ letters }) => letters > 0);
}

/** The set that a pipeline of sinks of its own writes, by the kind of its rows. */
const setOf = ({ sinks = {}, out, place }: OpenPipeline): Readonly<Record<string, string>> =>
  place === undefined || !sinks[out] ? {} : { [out]: place };

interface Told {
  readonly files: Readonly<Record<string, string>>;
  readonly counts: readonly OperatorCounts[];
  readonly rejected: readonly RejectionCount[];
  readonly letters?: readonly LetterCount[];
  readonly json: boolean;
}

function tell({ files, counts, rejected, letters, json }: Told, io: Io): void {
  const written = Object.keys(files).map((kind) => {
    const sink = counts.find(
      ({ stage, operator }) => operator === 'sink' && (stage === kind || stage === `sink.${kind}`),
    );
    return { kind, rows: sink?.out ?? 0, path: files[kind] ?? '' };
  });
  if (json) {
    io.out(`${stringifyJson({ written, rejected, ...(letters && { dead_letters: letters }) })}\n`);
    return;
  }
  const line = ({ kind, rows, path }: (typeof written)[number]) => [kind, String(rows), path];
  io.say(table(['kind', 'rows written', 'file'], written.map(line)));
  if (!letters) io.say(`\n${rejectionTable(rejected)}`);
  else if (letters.length === 0) io.say('\nNo row was rejected.');
  else {
    const rows = letters.map(({ topic, letters: all, waiting }) => [topic, String(all), String(waiting)]);
    io.say(`\n${table(['dead letters', 'all', 'not replayed'], rows)}`);
  }
}
