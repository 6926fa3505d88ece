import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { parseJson, stringifyJson } from '../../core/json.ts';
import { formatHackMonitor } from '../../reports/monitor/format-hack-monitor.ts';
import { createHackMonitor, type MonitorSummary } from '../../reports/monitor/hack-monitor.ts';
import { type Alarm, alarmKinds } from '../../rows/alarm.ts';
import { monitorEventSchema } from '../../rows/monitor-event.ts';
import { defineCommand } from '../command.ts';
import { type Exit, exits, type Io } from '../io.ts';

const options = z.strictObject({
  server: z
    .string()
    .min(1)
    .default('http://127.0.0.1:4320')
    .describe('Address of the `tracemill serve` that watches the run.'),
  in: z.string().min(1).optional().describe('File of events, JSON lines, to watch instead of a server.'),
  tokenEnv: z
    .string()
    .min(1)
    .default('TRACEMILL_TOKEN')
    .describe('Name of the environment variable with the token of the server.'),
  stopOn: z
    .array(z.enum([...alarmKinds, 'any']))
    .default(['any'])
    .describe('Alarms that end the command, with exit code 1.'),
  pollMs: z.int().min(50).default(500).describe('Time between two looks at the server, in ms.'),
  json: z.boolean().default(false).describe('Write each alarm to stdout as a line of JSON.'),
});
type Options = z.output<typeof options>;

export const monitorCommand = defineCommand({
  name: 'monitor',
  args: '<run>',
  summary: 'Watch a training run and end with exit code 1 when an alarm of it is raised.',
  options,
  examples: [
    'tracemill monitor grpo-7 --stop-on any',
    'tracemill monitor grpo-7 --in events.jsonl --stop-on divergence drift',
  ],
  async run([run = ''], config, io) {
    return config.in === undefined ? watchServer(run, config, io) : watchFile(run, config.in, config, io);
  },
});

/** The alarm that ends the command. */
const endingOf = (alarms: readonly Alarm[], { stopOn }: Options): Alarm | undefined =>
  alarms.find(({ kind }) => kind !== 'blind' && (stopOn.includes('any') || stopOn.includes(kind)));

async function watchServer(run: string, config: Options, io: Io): Promise<Exit> {
  const url = `${config.server.replace(/\/+$/, '')}/v1/monitor/${encodeURIComponent(run)}`;
  const headers = { authorization: `Bearer ${process.env[config.tokenEnv] ?? ''}` };
  let told = 0;
  let isHeard = true;
  io.say(`Watching ${run} at ${config.server}.`);
  while (!io.stop.aborted) {
    const summary = await lookAt(url, headers);
    if (summary === undefined && isHeard) io.say(`${config.server} does not answer; it is asked again.`);
    isHeard = summary !== undefined;
    const alarms = summary?.alarms ?? [];
    for (const alarm of alarms.slice(told)) tell(alarm, config, io);
    const ending = endingOf(alarms.slice(told), config);
    told = Math.max(told, alarms.length);
    if (ending) return exits.gateSaidNo;
    await pause(config.pollMs, io.stop);
  }
  return exits.done;
}

/**
 * What is known of a run; undefined when the server is away, and nothing when it knows no such run yet.
 *
 * @throws TM_SOURCE - the server lets us not in
 */
async function lookAt(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Pick<MonitorSummary, 'alarms'> | undefined> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (answer?.status === 404) return { alarms: [] };
  if (answer && [400, 401, 403, 421].includes(answer.status))
    throw new TracemillError('TM_SOURCE', `${url}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  return answer?.ok ? ((await answer.json()) as MonitorSummary) : undefined;
}

async function watchFile(run: string, path: string, config: Options, io: Io): Promise<Exit> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new TracemillError('TM_SOURCE', `${path} cannot be read`, { cause });
  });
  const monitor = createHackMonitor({ stopOn: config.stopOn });
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const event = monitorEventSchema.safeParse({ run_id: run, ...(readLine(line) as object) });
    if (!event.success) throw new TracemillError('TM_SOURCE', `${path}:${n + 1}: ${z.prettifyError(event.error)}`);
    if (event.data.run_id !== run) continue;
    for (const answer of monitor.add(event.data)) if (answer.type === 'alarm') tell(answer, config, io);
  }
  io.say(formatHackMonitor(monitor.summary()));
  return monitor.summary().stopped_at ? exits.gateSaidNo : exits.done;
}

function readLine(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return {}; // the schema says what is wrong with it
  }
}

function tell(alarm: Alarm, { json }: Options, io: Io): void {
  if (json) io.out(`${stringifyJson(alarm)}\n`);
  else io.say(`${alarm.kind} at step ${alarm.step}: ${alarm.reason}`);
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
