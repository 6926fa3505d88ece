import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import { topicKinds } from '../../pipelines/kinds.ts';
import { shapeOf } from '../../pipelines/pipeline.ts';
import { pipelineNamed } from '../../pipelines/registry.ts';
import { replayLetters } from '../../pipelines/replay-letters.ts';
import { kindOfTopic, topicsOf } from '../../pipelines/topics.ts';
import { deadLetterTopic } from '../../sinks/kafka-dead-letters.ts';
import { withAdmin } from '../../sources/kafka-admin.ts';
import type { KafkaBus } from '../../sources/kafka-bus.ts';
import { describeTopics } from '../../sources/kafka-describe.ts';
import { lagReport } from '../../sources/kafka-lag.ts';
import { ensureTopics } from '../../sources/kafka-topics.ts';
import { type BrokerFlags, brokerFlags, openBus } from '../brokers.ts';
import { defineCommand } from '../command.ts';
import { exits } from '../io.ts';
import { type FoundConfig, readRunConfig } from '../run-config.ts';
import { table } from '../table.ts';

const common = {
  pipeline: z.string().optional().describe('Pipeline whose topics they are; the config may name it.'),
  prefix: z.string().min(1).optional().describe('What the topics begin with; the name of the pipeline.'),
  config: z.string().optional().describe('Config file; tracemill.yaml where it is there.'),
  json: z.boolean().default(false).describe('Write JSON to stdout instead of a table.'),
  ...brokerFlags,
};
type Common = z.output<z.ZodObject<typeof common>>;

/** Read the config, know the prefix, and open the bus. */
async function reach(flags: Common): Promise<{ bus: KafkaBus; prefix: string; found: FoundConfig }> {
  const found = await readRunConfig(flags.config, process.env);
  const prefix = flags.prefix ?? found.config.prefix ?? flags.pipeline ?? found.config.pipeline;
  if (prefix === undefined)
    throw new TracemillError('TM_OPTIONS', 'topics: which? Name a --prefix or a --pipeline, here or in the config');
  return { bus: await openBus(flags satisfies BrokerFlags, found), prefix, found };
}

const createOptions = z.strictObject({
  partitions: z
    .int()
    .min(1)
    .optional()
    .describe('Partitions of each: fixed for its life. Default: the config, else 12.'),
  ...common,
});

const create = defineCommand({
  name: 'topics create',
  args: '',
  summary: 'Make the topics of a pipeline that are not there; those that are stay as they are.',
  options: createOptions,
  examples: ['tracemill topics create --pipeline evaluate --brokers localhost:9092'],
  async run(_files, flags, io) {
    const { bus, prefix, found } = await reach(flags);
    const name = flags.pipeline ?? found.config.pipeline;
    if (name === undefined) throw new TracemillError('TM_OPTIONS', 'topics create: name a --pipeline');
    const { stages } = shapeOf(pipelineNamed(name));
    const wanted = topicsOf(stages, prefix, flags.partitions ?? found.config.kafka.partitions);
    const before = await withAdmin(bus, (admin) => admin.listTopics());
    await ensureTopics(wanted, bus);
    const created = wanted.filter((topic) => !before.includes(topic.name)).map((topic) => topic.name);
    const there = wanted.filter((topic) => before.includes(topic.name)).map((topic) => topic.name);
    if (flags.json) io.out(`${stringifyJson({ created, there })}\n`);
    else {
      for (const topic of created) io.out(`${topic}\n`);
      io.say(`${created.length} topics made, ${there.length} were there.`);
    }
    return exits.done;
  },
});

const describe = defineCommand({
  name: 'topics describe',
  args: '',
  summary: 'Show the topics of a pipeline: partitions, settings, schema, records.',
  options: z.strictObject(common),
  examples: ['tracemill topics describe --prefix evaluate --brokers localhost:9092'],
  async run(_files, flags, io) {
    const { bus, prefix } = await reach(flags);
    const facts = await withAdmin(bus, (admin) => describeTopics(admin, (topic) => topic.startsWith(`${prefix}.`)));
    const topics = facts.map((fact) => ({ ...fact, schema: schemaOf(prefix, fact.topic) }));
    if (flags.json) io.out(`${stringifyJson({ prefix, topics })}\n`);
    else if (topics.length === 0) io.say(`There are no topics of ${prefix}: tracemill topics create makes them.`);
    else {
      const rows = topics.map(({ topic, schema, partitions, replicas, records, cleanup, retention_ms, ...rest }) => [
        topic,
        schema ?? '-',
        ...[partitions, replicas, records].map(String),
        cleanup,
        retention_ms === null ? 'for ever' : `${(retention_ms / 3_600_000).toFixed(1)} h`,
        `${(rest.max_message_bytes / 2 ** 20).toFixed(1)} MiB`,
      ]);
      const head = ['topic', 'schema', 'partitions', 'replicas', 'records', 'cleanup', 'kept', 'largest record'];
      io.out(`${table(head, rows)}\n`);
    }
    return exits.done;
  },
});

/** Name of the schema of a topic's rows and its major version; null for what is no kind of ours. */
function schemaOf(prefix: string, topic: string): string | null {
  if (topic.endsWith('.dlq')) return 'as its topic';
  const { kind = '', major = '' } = kindOfTopic(prefix, topic) ?? {};
  const known = Object.hasOwn(topicKinds, kind) ? topicKinds[kind] : undefined;
  return known ? `${known.schemaName}/${major}` : null;
}

const lag = defineCommand({
  name: 'topics lag',
  args: '',
  summary: 'Show how far each group of a pipeline is behind, by partition, and the dead letters.',
  options: z.strictObject(common),
  examples: ['tracemill topics lag --prefix evaluate --brokers localhost:9092 --json'],
  async run(_files, flags, io) {
    const { bus, prefix } = await reach(flags);
    const report = await withAdmin(bus, (admin) => lagReport(admin, prefix));
    if (report.groups.length === 0 && report.dead_letters.length === 0) throw noTopics('lag', prefix);
    if (flags.json) io.out(`${stringifyJson({ prefix, ...report })}\n`);
    else {
      const rows = report.groups.flatMap(({ group, topic, partitions, lag: total }) => [
        ...partitions.map(({ partition, committed, end, lag: behind }) => [
          group,
          topic,
          String(partition),
          committed === null ? '-' : String(committed),
          ...[end, behind].map(String),
        ]),
        [group, topic, 'all', '', '', String(total)],
      ]);
      io.out(`${table(['group', 'topic', 'partition', 'committed', 'end', 'lag'], rows)}\n`);
      io.out(`\n${table(['dead letters', 'all', 'not replayed'], letterRows(report.dead_letters))}\n`);
      io.out(`\nlag ${report.total_lag}, dead letters ${report.total_dead_letters}\n`);
    }
    return exits.done;
  },
});

/** A prefix of no topic is a typing error: a lag of 0 would say that all is well. */
const noTopics = (command: string, prefix: string) =>
  new TracemillError(
    'TM_OPTIONS',
    `topics ${command}: there are no topics of ${prefix}: name another --prefix, or make them by tracemill topics create`,
  );

const letterRows = (letters: Awaited<ReturnType<typeof lagReport>>['dead_letters']) =>
  letters.map(({ topic, letters: all, waiting }) => [topic, String(all), String(waiting)]);

const replay = defineCommand({
  name: 'topics replay',
  args: '<topic...>',
  summary: 'Send dead letters again to the topics that they came from, as they were, each once.',
  options: z.strictObject({
    reason: z.array(z.string()).optional().describe('Only letters of these reasons (dlq.reason).'),
    config: common.config,
    json: common.json,
    ...brokerFlags,
  }),
  examples: ['tracemill topics replay evaluate.rollouts.v1 --reason error --brokers localhost:9092'],
  async run(topics, { reason, ...flags }, io) {
    const bus = await openBus(flags, await readRunConfig(flags.config, process.env));
    await withAdmin(bus, (admin) => checkLetters(admin, topics));
    const results = [];
    for (const topic of topics)
      results.push({ topic, ...(await replayLetters({ bus, topic, ...(reason && { reasons: reason }) })) });
    if (flags.json) io.out(`${stringifyJson({ topics: results })}\n`);
    else {
      const rows = results.map(({ topic, replayed, passed }) => [topic, String(replayed), String(passed)]);
      io.out(`${table(['topic', 'sent again', 'passed over'], rows)}\n`);
    }
    return exits.done;
  },
});

/** Nothing is replayed where one of the names is wrong. */
async function checkLetters(admin: ReturnType<KafkaBus['admin']>, topics: readonly string[]): Promise<void> {
  const there = await admin.listTopics();
  const wrong = topics.filter((topic) => !there.includes(deadLetterTopic(topic)));
  if (wrong.length === 0) return;
  const prefixes = wrong.map((topic) => topic.slice(0, topic.indexOf('.') + 1));
  const near = there.filter((topic) => topic.endsWith('.dlq') && prefixes.some((start) => topic.startsWith(start)));
  const known = near.length === 0 ? 'nor any of that prefix' : `there are ${near.sort().join(', ')}`;
  throw new TracemillError(
    'TM_OPTIONS',
    `topics replay: there is no topic ${wrong.map(deadLetterTopic).join(', ')}; ${known}`,
  );
}

/** The commands about topics. */
export const topicsCommands = [create, describe, lag, replay] as const;
