import { access, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import { isObject } from '../core/json-object.ts';
import { judgeChoices } from '../judges/from-spec.ts';
import { judgeSpecSchema } from '../judges/judge-spec.ts';

const text = z.string().min(1);

/** How the brokers are reached, and how a run behaves on them. */
const kafkaSchema = z.strictObject({
  brokers: z.array(text).min(1).optional().describe('Brokers, host:port.'),
  clientId: text.optional().describe('Name that the brokers know us by.'),
  partitions: z.int().min(1).optional().describe('Partitions of topics that are made; fixed for their life.'),
  sessionTimeoutMs: z.int().min(6000).optional().describe('Time until the work of a killed worker is given to others.'),
  rebalanceTimeoutMs: z
    .int()
    .min(1000)
    .optional()
    .describe('Longest wait of a group for a member that finishes calls.'),
  drainMs: z.int().min(0).optional().describe('Time to finish what moves, when a group rebalances and on a stop.'),
  transactional: z
    .boolean()
    .optional()
    .describe('Store rows and offsets in one transaction: readers of committed records see each row once.'),
  tls: z
    .union([
      z.boolean(),
      z.strictObject({
        ca: text.optional().describe('File of the authority that signed the brokers.'),
        cert: text.optional().describe('File of our certificate.'),
        key: text.optional().describe('File of its key.'),
      }),
    ])
    .optional()
    .describe('Encrypt; with files where the machine does not know the authority, or the brokers ask who we are.'),
  sasl: z
    .strictObject({
      mechanism: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).default('scram-sha-512'),
      username: text,
      password: text.optional().describe('Better in the environment, as TRACEMILL_SASL_PASSWORD.'),
    })
    .optional()
    .describe('Who we are to the brokers.'),
});

/** What a run is, the same in memory and on Kafka. Paths start from the folder of the file. */
export const runConfigSchema = z.strictObject({
  pipeline: text.optional().describe('Pipeline to run, where the command line names none.'),
  prefix: text
    .regex(/^[a-zA-Z0-9._-]+$/, 'letters, digits, dots, dashes and underscores only')
    .optional()
    .describe('What its topics and groups begin with; the name of the pipeline without it.'),
  bus: z.enum(['memory', 'kafka']).optional().describe('What joins the stages.'),
  workers: z.int().min(1).optional().describe('Processes that share the stages, on Kafka.'),
  agent: text.optional().describe('Who plays: a module ./agent.mjs#name, or seeded.'),
  judge: z
    .union([text, judgeSpecSchema])
    .optional()
    .describe(`Who grades: ${judgeChoices}; or the keys of a model judge.`),
  tools: text.optional().describe('File with the tool list of the agent, JSON or YAML.'),
  policy: text.optional().describe('File with the system prompt of the agent.'),
  tasks: text.optional().describe('File of rows whose tasks are played again.'),
  in: z
    .union([text, z.array(text).min(1)])
    .optional()
    .describe('Files of the rows that go in.'),
  out: z
    .union([text, z.record(z.string(), text)])
    .optional()
    .describe('File for the rows that come out; or one for each kind, by its name.'),
  cache: text.optional().describe('Folder of the replies of models; .tracemill/replies.'),
  maxInFlight: z.int().min(1).optional().describe('Records that may move at the same time, in each part.'),
  options: z.record(z.string(), z.unknown()).default({}).describe('Options of the pipeline.'),
  kafka: kafkaSchema.default({}).describe('How it runs on Kafka.'),
});

export type RunConfig = Readonly<z.output<typeof runConfigSchema>>;
export type KafkaConfig = RunConfig['kafka'];

const usualName = 'tracemill.yaml';

/** A config and the folder that its paths start from. */
export interface FoundConfig {
  readonly config: RunConfig;
  readonly folder: string;
}

/**
 * Read a config file, YAML or JSON; `tracemill.yaml` in this folder where none is named and it is there. `${NAME}` in a
 * text stands for a variable of the environment.
 *
 * @throws TM_OPTIONS - there is no such file, it is no YAML, a key is unknown, a value wrong, a variable not set; the
 *   message names the file and the place
 */
export async function readRunConfig(
  path: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundConfig> {
  const file = path ?? ((await isThere(usualName)) ? usualName : undefined);
  if (file === undefined) return { config: runConfigSchema.parse({}), folder: process.cwd() };
  const wrong = (what: string, cause?: unknown) => new TracemillError('TM_OPTIONS', `${file}: ${what}`, { cause });
  const content = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw wrong('it cannot be read', cause);
  });
  const document = parseDocument(content);
  const [broken] = document.errors;
  if (broken) throw wrong(`it is neither YAML nor JSON: ${broken.message}`);
  const value = filled(document.toJS() ?? {}, env, '', wrong);
  const result = runConfigSchema.safeParse(value);
  if (!result.success) throw wrong(z.prettifyError(result.error), result.error);
  return { config: result.data, folder: dirname(resolve(file)) };
}

/** Put the environment's values where a text names them. The error names the variable and never shows a value. */
function filled(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  place: string,
  wrong: (what: string) => TracemillError,
): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const found = env[name];
      if (found === undefined) throw wrong(`${place}: the variable ${name} is not set`);
      return found;
    });
  if (Array.isArray(value)) return value.map((one, n) => filled(one, env, `${place}[${n}]`, wrong));
  if (!isObject(value)) return value;
  const within = place === '' ? '' : `${place}.`;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, filled(one, env, `${within}${key}`, wrong)]),
  );
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false, // not there, or not ours to read
  );
