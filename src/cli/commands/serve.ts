import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { jsonIn } from '../../core/json.ts';
import { isObject } from '../../core/json-object.ts';
import type { Sink } from '../../core/to-sink.ts';
import { untilAborted } from '../../core/until-aborted.ts';
import type { Graded } from '../../judges/apply-verdict.ts';
import { judgeFromSpec } from '../../judges/from-spec.ts';
import { createModels } from '../../models/models.ts';
import { isLoopback } from '../../server/guard.ts';
import { listenHttp } from '../../server/listen-http.ts';
import { openServer } from '../../server/open-server.ts';
import { brokerFlags, openBus } from '../brokers.ts';
import { defineCommand } from '../command.ts';
import { exits } from '../io.ts';
import { readRunConfig } from '../run-config.ts';
import { alsoSpans } from '../spans-out.ts';

const options = z.strictObject({
  port: z.int().min(0).max(65_535).default(4320).describe('Port to listen at; 0 takes any that is free.'),
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen at. One that others reach needs a token.'),
  allowHost: z
    .array(z.string().min(1))
    .default([])
    .describe('Names that the server is also reached by; other names than these and localhost are not answered to.'),
  tokenEnv: z
    .string()
    .min(1)
    .default('TRACEMILL_TOKEN')
    .describe('Name of the environment variable with the token. Unset: each start has its own, and it is shown.'),
  data: z.string().min(1).default('.tracemill').describe('Folder of what the server keeps: runs.db, monitors.db.'),
  prefix: z
    .array(z.string().min(1))
    .optional()
    .describe('With brokers: what the topics to show begin with, one for each pipeline; the config may name one.'),
  judge: z
    .string()
    .min(1)
    .optional()
    .describe('Answer POST /v1/judge with this judge: exact_match, regex:PATTERN ..., or a module ./judge.mjs#name.'),
  maxConcurrent: z.int().min(1).default(32).describe('Calls of the judge at the same time.'),
  timeoutMs: z.int().min(1).default(30_000).describe('A call of the judge that takes longer has no verdict, in ms.'),
  compare: z
    .array(z.string().min(1))
    .default([])
    .describe('Reports of `compare --json` to show, before against after, each by the name of its file.'),
  webhook: z.string().min(1).optional().describe('Post alarms to this address, signed with TRACEMILL_WEBHOOK_SECRET.'),
  allowPrivateWebhook: z
    .boolean()
    .default(false)
    .describe('Let the webhook be an address of this machine or its networks.'),
  stallMs: z
    .int()
    .min(1000)
    .default(60_000)
    .describe('A stage that has something to do and moves nothing for so long is stalled, in ms.'),
  config: z.string().optional().describe('Config file; tracemill.yaml where it is there.'),
  ...brokerFlags,
});

export const serveCommand = defineCommand({
  name: 'serve',
  args: '',
  summary: 'Serve the page, its figures, health and metrics, until it is stopped.',
  options,
  examples: ['tracemill serve', 'tracemill serve --brokers localhost:9092 --prefix evaluate'],
  async run(
    _files,
    {
      port,
      host,
      allowHost,
      tokenEnv,
      data,
      prefix,
      judge: spec,
      maxConcurrent,
      timeoutMs,
      compare,
      webhook,
      allowPrivateWebhook,
      stallMs,
      config,
      ...brokers
    },
    io,
  ) {
    const given = process.env[tokenEnv] || undefined;
    if (given === undefined && !isLoopback(host))
      throw new TracemillError(
        'TM_OPTIONS',
        `${host} can be reached by others: set ${tokenEnv}, or serve at 127.0.0.1`,
      );
    const token = given ?? randomBytes(24).toString('base64url');
    const found = await readRunConfig(config, process.env);
    const isOnKafka = (brokers.brokers ?? process.env['TRACEMILL_BROKERS'] ?? found.config.kafka.brokers) !== undefined;
    const prefixes = prefix ?? [found.config.prefix ?? found.config.pipeline ?? []].flat();
    if (isOnKafka && prefixes.length === 0)
      throw new TracemillError('TM_OPTIONS', 'serve: which topics? Name a --prefix, here or in the config');
    const opened = await openServer({
      ...{ data, token, allowedHosts: allowHost, stallMs, prefixes },
      judge: spec === undefined ? undefined : await judgeFromSpec(spec, { models: createModels() }), // no cache: a service lives long
      judging: { maxConcurrent, timeoutMs },
      alsoTo: (verdicts) => alsoSpans({ graded: verdicts as Sink<never> }, io)['graded'] as Sink<Graded>,
      compared: await Promise.all(compare.map(comparisonIn)),
      hook: hookOf(webhook, allowPrivateWebhook),
      bus: isOnKafka ? await openBus(brokers, found) : undefined,
      partitions: found.config.kafka.partitions,
      say: (line) => io.say(line),
    });
    try {
      const server = await listenHttp(opened.app.fetch, { host, port, maxConnections: 1000 });
      io.say(`Serving at ${server.url}/${given === undefined ? `?token=${token}` : ` (token: ${tokenEnv})`}`);
      await untilAborted(io.stop);
      opened.stop();
      await server.close(1000);
      return exits.done;
    } finally {
      await opened.close();
    }
  },
});

/** Alarms are posted signed, or not at all. */
function hookOf(url: string | undefined, allowPrivate: boolean) {
  if (url === undefined) return undefined;
  const secret = process.env['TRACEMILL_WEBHOOK_SECRET'] ?? '';
  if (secret === '')
    throw new TracemillError('TM_OPTIONS', '--webhook: set TRACEMILL_WEBHOOK_SECRET, alarms are signed');
  return { url, secret, allowPrivate };
}

async function comparisonIn(path: string) {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new TracemillError('TM_SOURCE', `${path} cannot be read`, { cause });
  });
  const report = jsonIn(text);
  if (!isObject(report)) throw new TracemillError('TM_SOURCE', `${path} is no report of compare --json`);
  return { name: basename(path, extname(path)), report };
}
