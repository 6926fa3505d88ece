import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { untilAborted } from '../../core/until-aborted.ts';
import { judgeChoices } from '../../judges/from-spec.ts';
import type { HotRegion } from '../../pipelines/simulate/aim.ts';
import { type SimulateRun, simulate } from '../../pipelines/simulate/simulate.ts';
import type { PassAt } from '../../reports/pass-at/index.ts';
import { inferHarness } from '../../reports/traces/infer-harness.ts';
import type { Row } from '../../rows/row.ts';
import { toolsFrom } from '../../rows/tool.ts';
import { loadTraces } from '../../sources/files/load-traces.ts';
import { chooseAgent } from '../choose-agent.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { passCells, passHead, share } from '../figures.ts';
import { kebab } from '../flags.ts';
import { found } from '../found.ts';
import { type Exit, exits, type Io } from '../io.ts';
import { livePage } from '../live-page.ts';
import { readInput, readTools } from '../read-inputs.ts';
import { type RejectionCount, rejectionTable } from '../rejections.ts';
import { table } from '../table.ts';
import { exportCommand } from './export.ts';
import { gradeCommand } from './grade.ts';
import { importCommand } from './import.ts';
import { reportCommand } from './report.ts';
import { selectCommand } from './select.ts';
import { simulateCommand } from './simulate.ts';

const shop = fileURLToPath(new URL('../../../docs/examples/shop/', import.meta.url));

const options = z.strictObject({
  traces: z
    .array(z.string())
    .optional()
    .describe('Start from these files of traces: grade and select them, and aim a simulation at what failed in them.'),
  agent: z
    .string()
    .default('seeded')
    .describe('Who plays: a module ./agent.mjs#name, or seeded, which makes known mistakes.'),
  tools: z.string().optional().describe("Tool list of your agent; a small shop's without it."),
  policy: z.string().optional().describe("System prompt of your agent; a small shop's without it."),
  judge: z.string().optional().describe(`Who grades: ${judgeChoices}. Traces keep the rewards they have.`),
  budget: z.int().min(1).default(256).describe('Rows to simulate at most.'),
  seed: z.int().default(0).describe('Seed of the simulation.'),
  out: z.string().min(1).default('out').describe('Folder to write to.'),
  ui: z.boolean().default(false).describe('Show it on a page in the browser while it runs, until you stop it.'),
  port: z.int().min(0).max(65_535).default(0).describe('With --ui: port of the page; 0 takes any that is free.'),
});

/** What the steps before left for the ones that follow. */
interface Said {
  readonly pass_at?: PassAt;
  readonly n_graded?: number;
  readonly n_rows?: number;
  readonly rejected: readonly RejectionCount[];
  readonly warnings?: readonly string[];
  readonly n_written?: number;
  readonly notes?: readonly string[];
  readonly note_codes?: readonly string[];
}

export const startCommand = defineCommand({
  name: 'start',
  args: '',
  summary: 'Run the whole path once: simulate or import, grade, report, select, export.',
  options,
  examples: [
    'tracemill start',
    'tracemill start --ui',
    'tracemill start --traces "results/*.json"',
    'tracemill start --agent ./agent.mjs --tools tools.json --judge ./judge.mjs',
  ],
  async run(_files, { ui, port, ...given }, io) {
    if (!ui) return wholePath(given, io);
    const page = await livePage(io, { port, data: join(given.out, '.tracemill') });
    try {
      io.say(`Open ${page.url}`);
      const exit = await wholePath(given, page.io);
      if (!io.stop.aborted) io.say(`\nThe page stays until you stop it with Ctrl-C: ${page.url}`);
      await untilAborted(io.stop);
      return exit;
    } finally {
      await page.close();
    }
  },
});

type Path = Omit<z.output<typeof options>, 'ui' | 'port'>;

async function wholePath({ traces, out, ...own }: Path, io: Io): Promise<Exit> {
  const at = (name: string) => join(out, name);
  const graded = at('graded.jsonl');
  const made = traces ? await fromTraces(traces, own.judge, at, io) : await fromAgent(own, graded, io);
  if (traces && (made.exit === undefined || made.exit === exits.done)) {
    const aimed = await aimedAt(traces, own, at, io);
    if (aimed !== exits.done) return aimed;
  }
  if (made.exit !== undefined) return made.exit;
  const report = await step(reportCommand, [graded], {}, io);
  if (report.exit !== undefined) return report.exit;
  const selected = await step(selectCommand, [graded], { mode: 'rl', out: at('selected.jsonl') }, io);
  if (selected.exit !== undefined) return selected.exit;
  const trained = [];
  for (const format of ['trl', 'openai'] as const)
    trained.push(await step(exportCommand, [at('selected.jsonl')], { format, out: at(`train.${format}.jsonl`) }, io));
  const [failed] = trained.flatMap(({ exit }) => (exit === undefined ? [] : [exit]));
  if (failed !== undefined) return failed;

  io.say(`\nRows graded: ${made.said.n_rows ?? (report.said as unknown as PassAt).n_rows_total}, in ${graded}`);
  io.say(`\n${table([...passHead], [passCells(report.said as unknown as PassAt)])}`);
  io.say('\nNot kept, by operator and reason:');
  io.say(rejectionTable([...made.said.rejected, ...selected.said.rejected]));
  await sayExamples(at('selected.jsonl'), at('selected.rejected.jsonl'), io);
  if ((trained[0]?.said.n_written ?? 0) === 0)
    io.say('\nNothing is left to train on: no task has both passes and failures within the band.');
  io.say('\nFiles:');
  for (const [name, what] of filesOf(trained[0]?.said.n_written ?? 0)) io.say(`  ${at(name)}: ${what}`);
  io.say('\nWith your own:');
  io.say('  npm start -- --agent ./agent.mjs --tools tools.json --policy policy.md --judge ./judge.mjs');
  io.say('  npm start -- --traces traces.jsonl');
  return exits.done;
}

interface Step {
  readonly exit?: Exit | undefined;
  readonly said: Said;
}

const lastLines = 4;

/** Run a command for its JSON report. What it says to people is left out: the words of `start` come at the end. */
async function step(command: CliCommand, files: readonly string[], given: object, io: Io): Promise<Step> {
  io.say(`> tracemill ${command.name} ${[...files, ...flagsOf(given)].join(' ')}`);
  const texts: string[] = [];
  const lines: string[] = [];
  const quiet: Io = { ...io, out: (text) => void texts.push(text), say: (line) => void lines.push(line) };
  const parsed = command.options.parse({ ...given, json: true });
  const exit = await command.run(files, parsed, quiet);
  const said = parseJson(texts.join('') || '{}') as Said;
  if (exit !== exits.done) for (const line of lines.slice(-lastLines)) io.say(line); // why it goes no further
  for (const warning of [...(said.warnings ?? []), ...toolNotes(said)]) io.say(`  Warning: ${warning}`);
  return { ...(exit !== exits.done && { exit }), said };
}

/** A sample that calls tools nobody declared teaches a model to call what it was never told of. */
const toolNotes = ({ notes = [], note_codes = [] }: Said) => notes.filter((_, n) => note_codes[n] === 'no_tools');

const flagsOf = (given: object): readonly string[] =>
  Object.entries(given).map(([name, value]) => `--${kebab(name)} ${value}`);

async function fromAgent(own: Omit<Path, 'traces' | 'out'>, graded: string, io: Io): Promise<Step> {
  const { agent, budget, seed, tools = near('tools.json') } = own;
  const policy = own.policy ?? (own.tools === undefined ? near('policy.md') : undefined);
  const judge = own.judge ?? (own.tools === undefined ? `./${near('judge.mjs')}` : undefined);
  if (judge === undefined)
    throw new TracemillError('TM_OPTIONS', '--judge: your own tools need a judge of your own, such as ./judge.mjs');
  const shape = { mode: 'rl', repeats: 8, repeatPolicy: 'fixed' };
  return step(
    simulateCommand,
    [],
    { agent, tools, ...(policy !== undefined && { policy }), judge, ...shape, budget, seed, out: graded },
    io,
  );
}

async function fromTraces(
  traces: readonly string[],
  judge: string | undefined,
  at: (name: string) => string,
  io: Io,
): Promise<Step> {
  const imported = await step(importCommand, traces, { out: judge ? at('rows.jsonl') : at('graded.jsonl') }, io);
  if (imported.exit !== undefined || judge) {
    if (imported.exit !== undefined || judge === undefined) return imported;
    const graded = await step(gradeCommand, [at('rows.jsonl')], { judge, out: at('graded.jsonl') }, io);
    return { ...graded, said: { ...graded.said, rejected: [...imported.said.rejected, ...graded.said.rejected] } };
  }
  if ((imported.said.n_graded ?? 0) > 0) return imported;
  io.say(
    `\n${imported.said.n_rows ?? 0} rows are in ${at('graded.jsonl')}. None has a reward, so there is nothing to select by.`,
  );
  io.say(`Grade them: npm start -- --traces ${traces.join(' ')} --judge ./judge.mjs`);
  return { ...imported, exit: exits.done };
}

/** Simulate twice with the same seed, once as if nothing was known and once aimed, and show what moved. */
async function aimedAt(
  traces: readonly string[],
  own: Omit<Path, 'traces' | 'out'>,
  at: (name: string) => string,
  io: Io,
): Promise<Exit> {
  const rows = (await Promise.all(traces.map((path) => loadTraces(path)))).flat();
  const found = accumulateFound(rows);
  const tools = own.tools === undefined ? found.tools : await readTools(own.tools);
  if (tools.length === 0) {
    io.say('\nThe traces call no tool, so there is nothing to aim a simulation with. Name --tools to have one.');
    return exits.done;
  }
  const systemPrompt = own.policy === undefined ? found.systemPrompt : await readInput(own.policy, '--policy');
  const agent = chooseAgent(own.agent, tools, own.seed) as never;
  const budget = Math.min(own.budget, aimedBudget);
  const shape = { agent, tools, systemPrompt, budget, seed: own.seed, simulator: false } as const;
  io.say(`> tracemill simulate --traces ${traces.join(' ')} --steering-weight ${steering} --budget ${budget}`);
  const before = await simulate(shape);
  const after = await simulate({
    ...shape,
    traces: rows as never,
    steeringWeight: steering,
    output: at('aimed.jsonl'),
  });
  io.say(`\nThe traces fail most here, and the simulation is aimed at it (share of ${budget} rows):`);
  io.say(table(['tool', 'condition', 'in the traces', 'before', 'after'], emphasis(before, after)));
  io.say(`\nAimed rows: ${at('aimed.jsonl')}. None of them repeats a trace.`);
  return exits.done;
}

const [steering, aimedBudget] = [0.5, 128];

/** The regions that fail most in the traces, with their share of a run before and after. */
function emphasis(before: SimulateRun, after: SimulateRun): readonly (readonly string[])[] {
  const regions = (after.search['hot_regions'] ?? []) as readonly HotRegion[];
  const shareOf = ({ rows }: SimulateRun, { tool, tool_condition }: HotRegion) => {
    const cells = rows.map((row) => row['scenario_dimensions'] as Readonly<Record<string, unknown>> | null);
    const state = tool_condition === 'success' ? undefined : tool_condition;
    const hits = cells.filter((cell) => cell?.['tool'] === tool && (!state || cell['tool_condition'] === state));
    return share(rows.length === 0 ? null : hits.length / rows.length);
  };
  return regions
    .slice(0, 6)
    .map((region) => [
      region.tool,
      region.tool_condition,
      share(region.share),
      shareOf(before, region),
      shareOf(after, region),
    ]);
}

/** Tools and policy as the traces show them: as declared where they say it, else as they were called. */
function accumulateFound(rows: readonly Row[]) {
  const about = found();
  for (const row of rows) about.row(row);
  const { tools, systemPrompt } = about.end();
  return {
    tools: tools.length > 0 ? toolsFrom(tools) : toolsFrom(inferHarness(rows).tools),
    systemPrompt: systemPrompt ?? '',
  };
}

const near = (name: string) => relative(process.cwd(), join(shop, name));

/** One row that was kept and one that was not, so that both can be judged by eye. */
async function sayExamples(keptPath: string, rejectedPath: string, io: Io): Promise<void> {
  const kept = (await firstLine(keptPath)) as Row | undefined;
  if (kept)
    io.say(`\nA row that was kept (${String(kept.scenario_id)}, reward ${String(kept.reward)}):\n${excerpt(kept)}`);
  const rejected = (await firstLine(rejectedPath)) as
    | { readonly row: Row; readonly by: string; readonly reason: string }
    | undefined;
  if (rejected)
    io.say(`\nA row that was not, because ${rejected.by} said ${rejected.reason}:\n${excerpt(rejected.row)}`);
}

async function firstLine(path: string): Promise<unknown> {
  try {
    const [line = ''] = (await readFile(path, 'utf8')).split('\n', 1);
    return line === '' ? undefined : parseJson(line);
  } catch {
    return undefined; // nothing of this kind was written
  }
}

function excerpt({ prompt, steps, final_text }: Row): string {
  const calls = (steps ?? []).flatMap(({ tool }) => (typeof tool === 'string' ? [tool] : []));
  return [`  ask:    ${short(prompt)}`, `  calls:  ${short(calls.join(', '))}`, `  reply:  ${short(final_text)}`].join(
    '\n',
  );
}

function short(text: string | null | undefined): string {
  const line = (text ?? '').replace(/\s+/g, ' ').trim();
  return line.length > 140 ? `${line.slice(0, 139)}…` : line || '(none)';
}

const filesOf = (samples: number): readonly (readonly [string, string])[] => [
  ['graded.jsonl', 'every row with its verdict; settings in graded.meta.json'],
  ['selected.jsonl', 'the rows that train; the others in selected.rejected.jsonl'],
  ['train.trl.jsonl', `${samples} samples for TRL`],
  ['train.openai.jsonl', 'the same for OpenAI-style trainers'],
];
