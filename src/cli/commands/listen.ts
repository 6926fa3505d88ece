import { lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { createCounters, type OperatorCounts } from '../../core/counters.ts';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import { stoppable } from '../../core/stoppable.ts';
import { sessions } from '../../operators/sessions.ts';
import { listenStages } from '../../pipelines/listen.ts';
import { listenIntoKafka } from '../../pipelines/listen-into-kafka.ts';
import { topicName } from '../../pipelines/topics.ts';
import { type OtlpServer, serveOtlp } from '../../server/otlp-server.ts';
import { deadLetterTopic } from '../../sinks/kafka-dead-letters.ts';
import { toldRows } from '../../sinks/told-rows.ts';
import { traceRowsSink } from '../../sinks/trace-rows.ts';
import { claimFile } from '../../sources/claim.ts';
import { ensureTopics } from '../../sources/kafka-topics.ts';
import { type OtlpReceiver, otlpReceiver } from '../../sources/otlp.ts';
import { openSpool } from '../../sources/otlp-spool.ts';
import { redactor } from '../../text/redact.ts';
import { brokerFlags, brokersNamed, openBus } from '../brokers.ts';
import { defineCommand } from '../command.ts';
import { kebab } from '../flags.ts';
import { exits, type Io } from '../io.ts';
import { rejectionCounts, rejectionTable } from '../rejections.ts';
import { type FoundConfig, readRunConfig } from '../run-config.ts';
import { makeFolderOf, type RowOutcome, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { saltFlag, saltOf } from '../salt.ts';

/** A limit of sessions as a flag that may be absent, so that one that would do nothing is noticed. */
function limit(schema: typeof sessions.spec.options.shape.maxIdleMs) {
  const { description, default: byDefault } = z.toJSONSchema(schema, { io: 'input' });
  return schema.removeDefault().optional().describe(`${description} With --out; ${byDefault}.`);
}

const options = z.strictObject({
  out: z
    .string()
    .min(1)
    .optional()
    .describe('File of rows to write to; it grows. The spool is the folder <out>.spool beside it.'),
  port: z.int().min(0).max(65_535).default(4318).describe('Port to listen at; 0 takes any that is free.'),
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen at. One that others reach needs a token.'),
  tokenEnv: z
    .string()
    .min(1)
    .default('TRACEMILL_TOKEN')
    .describe('Name of the environment variable with the bearer token that senders must give. Unset: no token.'),
  keepPersonalData: z
    .boolean()
    .default(false)
    .describe('Do not redact e-mail addresses, phones, cards, accounts and addresses. Secrets always are. With --out.'),
  salt: saltFlag,
  maxIdleMs: limit(sessions.spec.options.shape.maxIdleMs),
  maxLateMs: limit(sessions.spec.options.shape.maxLateMs),
  json: z.boolean().default(false).describe('Write the counts to stdout as JSON when it ends.'),
  prefix: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Without --out: spans are written to the Kafka topic <prefix>.spans.v1, and the pipeline traces makes rows; traces.',
    ),
  ...brokerFlags,
});
type Flags = z.output<typeof options>;

export const listenCommand = defineCommand({
  name: 'listen',
  args: '',
  summary:
    'Receive OpenTelemetry over HTTP and write one row for each conversation, or every span to Kafka, until stopped.',
  options,
  examples: [
    'tracemill listen --out out/traces.jsonl',
    'tracemill listen --out out/traces.jsonl --port 14318',
    'tracemill listen --brokers localhost:9092',
  ],
  async run(_files, flags, io) {
    const { out } = flags;
    if (out === '-')
      throw new TracemillError('TM_OPTIONS', 'listen: --out must be a file: it is gone on with after a stop');
    if (out !== undefined) {
      refuse(flags, topicOnly, 'with --out, which writes rows to a file');
      return intoFile({ ...flags, out }, io);
    }
    const found = await readRunConfig(undefined, process.env);
    if (brokersNamed(flags, found, process.env).length === 0)
      throw new TracemillError(
        'TM_OPTIONS',
        'listen: name --out, a file of rows, or --brokers (also TRACEMILL_BROKERS, or kafka.brokers of the config), whose topic takes the spans',
      );
    refuse(
      flags,
      fileOnly,
      'without --out: the pipeline that reads the topic redacts and makes rows, by its own options',
    );
    return intoTopic(flags, found, io);
  },
});

const topicOnly = Object.keys({ ...brokerFlags, prefix: true }) as (keyof Flags)[];
const fileOnly = ['keepPersonalData', 'salt', 'maxIdleMs', 'maxLateMs'] as const satisfies (keyof Flags)[];

/** A flag that would do nothing is refused: who gives it counts on what it says. */
function refuse(flags: Flags, useless: readonly (keyof Flags)[], why: string): void {
  const given = useless.filter((name) => flags[name] !== undefined && flags[name] !== false);
  if (given.length === 0) return;
  const names = given.map((name) => `--${kebab(name)}`).join(', ');
  throw new TracemillError('TM_OPTIONS', `listen: ${names} ${given.length === 1 ? 'does' : 'do'} nothing ${why}`);
}

async function intoFile(flags: Flags & { out: string }, io: Io) {
  await makeFolderOf(flags.out);
  const release = await claimFile(flags.out); // a second one would read the spool of the first, and remove it when it ends
  try {
    return await intoClaimed(flags, io);
  } finally {
    await release();
  }
}

async function intoClaimed(
  { out, keepPersonalData, salt, maxIdleMs, maxLateMs, ...flags }: Flags & { out: string },
  io: Io,
) {
  const token = tokenOf(flags);
  const secrets = secretsOf({ salt, keepPersonalData });
  const redact = redactor(secrets);
  const told = toldRows({ path: out });
  const spool = await openSpool({ folder: `${out}.spool` });
  const receiver = otlpReceiver({ ...(token !== undefined && { token }) }, { spool });
  const running = runRows(io, {
    source: receiver.packed,
    stages: listenStages({
      sessions: { ...(maxIdleMs !== undefined && { maxIdleMs }), ...(maxLateMs !== undefined && { maxLateMs }) },
      redact: secrets,
      told,
    }),
    sinks: { traces: traceRowsSink({ path: out }) },
    rejected: rejectedBeside(out, { isResumed: true, clean: (row) => redact(row).value }),
    maxInFlight: 4096,
    words,
  });
  const where = `${out}${keepPersonalData ? ', personal data kept' : ''}`;
  return serving({ flags, io, receiver, running, where, ready: told.load }, () => spool.close());
}

/** Spans go to the topic as they came: the pipeline that reads it redacts them before anything else is stored. */
async function intoTopic(flags: Flags, found: FoundConfig, io: Io) {
  const bus = await openBus(flags, found);
  const { prefix = 'traces' } = flags;
  const topic = topicName(prefix, 'spans');
  await ensureTopics(
    [
      { name: topic, partitions: 12 },
      { name: deadLetterTopic(topic), partitions: 12 },
    ],
    bus,
  );
  const token = tokenOf(flags);
  const receiver = otlpReceiver({ ...(token !== undefined && { token }) });
  const counters = createCounters();
  const source = stoppable(receiver.source, io.stop);
  const redact = redactor(secretsOf({ salt: undefined, keepPersonalData: false }));
  const clean = (row: unknown): unknown => redact(row).value;
  const stored = listenIntoKafka({ bus, prefix, source, clean, hooks: counters.hooks });
  const running = lastValueFrom(stored, { defaultValue: undefined }).then(() => {
    const counts = counters.snapshot();
    return { counts, rejected: rejectionCounts(counts) };
  });
  return serving({ flags, io, receiver, running, where: `topic ${topic}`, ready: async () => {} }, async () => {});
}

const secretsOf = ({ salt, keepPersonalData }: Pick<Flags, 'salt' | 'keepPersonalData'>) => ({
  salt: saltOf(salt),
  personal: !keepPersonalData,
  rules: [],
});

const tokenOf = ({ tokenEnv }: Pick<Flags, 'tokenEnv'>): string | undefined => process.env[tokenEnv] || undefined;

interface Serving {
  readonly flags: Pick<Flags, 'host' | 'port' | 'tokenEnv' | 'json'>;
  readonly io: Io;
  readonly receiver: OtlpReceiver;
  readonly running: Promise<Pick<RowOutcome, 'counts' | 'rejected'>>;
  readonly where: string;
  /** What has to be known before anything new comes, and after all that was left. */
  readonly ready: () => Promise<void>;
}

/** Open the socket once what an earlier process left is read again, and close it when the run ends. */
async function serving({ flags, io, receiver, running, where, ready }: Serving, close: () => Promise<void>) {
  const { host, port, json } = flags;
  let server: OtlpServer | undefined;
  try {
    const left = await Promise.race([receiver.replay(), running.then(() => 0)]);
    await ready();
    if (left > 0) io.say(`Requests of the last time that were not done, read again: ${left}.`);
    server = await serveOtlp(receiver, { host, port, hasToken: tokenOf(flags) !== undefined });
    io.say(`Listening at ${server.url}, writing to ${where}.`);
    const { counts, rejected } = await running;
    const report = { ...figuresOf(counts), rejected };
    if (json) io.out(`${stringifyJson(report)}\n`);
    io.say(words(counts));
    io.say(rejectionTable(report.rejected));
    return exits.done;
  } finally {
    receiver.end();
    await server?.close();
    await running.catch(() => {}); // its failure is on its way already
    await close();
  }
}

/** Counts of what one operator noticed. */
const noticed = (counts: readonly OperatorCounts[], name: string): Readonly<Record<string, number>> =>
  counts.find(({ operator }) => operator === name)?.counts ?? {};

function figuresOf(counts: readonly OperatorCounts[]) {
  const { verdict: verdicts = 0, ...requests } = noticed(counts, 'otlp');
  return {
    spans: rowsOf(counts, 'source', 'out') - verdicts,
    verdicts,
    rows: counts.find(({ operator, stage }) => operator === 'sink' && stage === 'traces')?.out ?? 0,
    requests,
    sessions: noticed(counts, 'sessions'),
    rejected: rejectionCounts(counts),
  };
}

/** One line, every few seconds and at the end. */
function words(counts: readonly OperatorCounts[]): string {
  const { spans, verdicts, rows, sessions, requests, rejected } = figuresOf(counts);
  const lost = rejected.map(({ reason, rows: n }) => `${n} ${reason}`);
  const refused = Object.entries(requests).flatMap(([what, n]) => (what === 'answered_200' ? [] : [`${n} ${what}`]));
  return [
    `listen: ${spans} spans, ${verdicts > 0 ? `${verdicts} verdicts, ` : ''}${rows} rows`,
    ...(sessions['duplicate'] ? [`${sessions['duplicate']} duplicates`] : []),
    ...(sessions['late'] ? [`${sessions['late']} late`] : []),
    `rejected: ${lost.length > 0 ? lost.join(', ') : 'none'}`,
    ...(refused.length > 0 ? [refused.join(', ')] : []),
  ].join(', ');
}
