import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { parseJson, stringifyJson } from '../../core/json.ts';
import { isObject } from '../../core/json-object.ts';
import { formatHackMonitor } from '../../reports/monitor/format-hack-monitor.ts';
import { createHackMonitor, type HackMonitor } from '../../reports/monitor/hack-monitor.ts';
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
  in: z
    .string()
    .min(1)
    .optional()
    .describe('File of events, JSON lines, to watch instead of a server: of one run, or of all in it.'),
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
  args: '[run]',
  summary: 'Watch a training run and end with exit code 1 when an alarm of it is raised.',
  options,
  examples: [
    'tracemill monitor grpo-7 --stop-on any',
    'tracemill monitor --in events.jsonl',
    'tracemill monitor grpo-7 --in events.jsonl --stop-on divergence drift',
  ],
  async run([run], config, io) {
    if (config.in !== undefined) return watchFile(run, config.in, config, io);
    if (run === undefined) throw new TracemillError('TM_OPTIONS', 'monitor: which run? Name one, or a file by --in');
    return watchServer(run, config, io);
  },
});

/** The alarm that ends the command. */
const endingOf = (alarms: readonly Alarm[], { stopOn }: Options): Alarm | undefined =>
  alarms.find(({ kind }) => kind !== 'blind' && (stopOn.includes('any') || stopOn.includes(kind)));

async function watchServer(run: string, config: Options, io: Io): Promise<Exit> {
  const url = `${config.server.replace(/\/+$/, '')}/v1/monitor/${encodeURIComponent(run)}`;
  const headers = { authorization: `Bearer ${process.env[config.tokenEnv] ?? ''}` };
  let told = 0;
  let state: Known['state'] | undefined;
  let isOurs = false; // alarms of a run that was over before we looked are of another one
  io.say(`Watching ${run} at ${config.server}.`);
  while (!io.stop.aborted) {
    const known = await lookAt(url, headers);
    if (known.state !== state) sayState(known.state, { run, server: config.server, isOurs }, io);
    state = known.state;
    isOurs ||= state === 'running' || state === 'unknown';
    if (isOurs && 'alarms' in known) {
      if (known.alarms.length < told) told = 0; // another run began under this name
      const fresh = known.alarms.slice(told);
      told = known.alarms.length;
      for (const alarm of fresh) tell(alarm, config, io);
      if (endingOf(fresh, config)) return exits.gateSaidNo;
    }
    await pause(config.pollMs, io.stop);
  }
  return exits.done;
}

type Known =
  | { readonly state: 'away' | 'unknown' }
  | { readonly state: 'running' | 'over'; readonly alarms: readonly Alarm[] };

function sayState(
  state: Known['state'],
  { run, server, isOurs }: { readonly run: string; readonly server: string; readonly isOurs: boolean },
  io: Io,
): void {
  if (state === 'away') io.say(`${server} does not answer; it is asked again.`);
  if (state === 'unknown') io.say(`${server} knows no run ${run} yet; it is watched for.`);
  if (state === 'over' && !isOurs) io.say(`The run ${run} has ended; the next one of that name is watched for.`);
}

/**
 * Ask what is known of a run. A server that is away, or an answer that is none of ours, is nothing to end for.
 *
 * @throws TM_SOURCE - the server lets us not in
 */
async function lookAt(url: string, headers: Readonly<Record<string, string>>): Promise<Known> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (answer?.status === 404) return { state: 'unknown' };
  if (answer && [400, 401, 403, 421].includes(answer.status))
    throw new TracemillError('TM_SOURCE', `${url}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  const said: unknown = answer?.ok ? await answer.json().catch(() => undefined) : undefined; // cut, or another server
  if (!isObject(said) || !Array.isArray(said['alarms'])) return { state: 'away' };
  return { state: said['has_ended'] === true ? 'over' : 'running', alarms: said['alarms'] as Alarm[] };
}

/** Watch what a file tells of one run, or of each of its runs. */
async function watchFile(run: string | undefined, path: string, config: Options, io: Io): Promise<Exit> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new TracemillError('TM_SOURCE', `${path} cannot be read`, { cause });
  });
  const monitors = new Map<string, HackMonitor>();
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const event = monitorEventSchema.safeParse({ run_id: run ?? 'the run', ...(readLine(line) as object) });
    if (!event.success) throw new TracemillError('TM_SOURCE', `${path}:${n + 1}: ${z.prettifyError(event.error)}`);
    const { run_id } = event.data;
    const monitor = monitors.get(run_id) ?? createHackMonitor({ stopOn: config.stopOn });
    monitors.set(run_id, monitor);
    if (run !== undefined && run_id !== run) continue;
    const answers = monitor.add(event.data);
    if (config.json) for (const answer of answers) if (answer.type === 'alarm') tell(answer, config, io);
  }
  const names = [...monitors.keys()];
  if (run !== undefined && !monitors.has(run))
    throw new TracemillError('TM_SOURCE', `${path}: nothing is told of ${run}, but of ${names.join(', ') || 'no run'}`);
  if (names.length === 0) throw new TracemillError('TM_SOURCE', `${path}: no event is in it`);
  let exit: Exit = exits.done;
  for (const name of run === undefined ? names : [run]) {
    const summary = monitors.get(name)?.summary();
    if (!summary) continue;
    if (names.length > 1) io.say(`${name}:`);
    io.say(formatHackMonitor(summary));
    if (summary.stopped_at) exit = exits.gateSaidNo;
  }
  return exit;
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
