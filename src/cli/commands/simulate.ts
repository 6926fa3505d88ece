import { z } from 'zod';
import { systemClockNs } from '../../core/clock.ts';
import { accumulate } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { judgeChoices, judgeFromSpec } from '../../judges/from-spec.ts';
import { timedJudge } from '../../judges/timed-judge.ts';
import { createModels, type Models } from '../../models/models.ts';
import { simulateShape } from '../../pipelines/simulate/options.ts';
import { planSimulation } from '../../pipelines/simulate/plan.ts';
import { conductJudge } from '../../pipelines/simulate/prepare.ts';
import { Progress } from '../../pipelines/simulate/progress.ts';
import type { SimulateResult } from '../../pipelines/simulate/result.ts';
import { sidecarOf } from '../../pipelines/simulate/sidecar.ts';
import { thinRow } from '../../pipelines/simulate/thin-row.ts';
import { type PassAt, passAtFold } from '../../reports/pass-at/index.ts';
import { type TimeBook, timeBook } from '../../rows/rollout-times.ts';
import type { Row } from '../../rows/row.ts';
import type { Tool } from '../../rows/tool.ts';
import { markRows } from '../../sinks/mark-rows.ts';
import { rowsSink } from '../../sinks/rows.ts';
import { writeRunMeta } from '../../sinks/run-meta.ts';
import { readAgentSpec } from '../../sources/agent-spec.ts';
import { chooseAgent } from '../choose-agent.ts';
import { defineCommand } from '../command.ts';
import { passCells, passHead } from '../figures.ts';
import { exits } from '../io.ts';
import { readInput, readTools } from '../read-inputs.ts';
import { type RejectionCount, rejectionTable } from '../rejections.ts';
import { repliesBeside } from '../replies.ts';
import { makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { checkSameRun } from '../same-run.ts';
import { firstFailure, type StatusCount, statusCounts } from '../status-counts.ts';
import { table } from '../table.ts';

/** Options of the engine that are plain values: each is a flag. */
const engine = z.object(simulateShape).pick({
  budget: true,
  timeBudget: true,
  until: true,
  situations: true,
  mode: true,
  grid: true,
  phrasings: true,
  repeats: true,
  repeatPolicy: true,
  uniqueSituations: true,
  tasks: true,
  runs: true,
  traces: true,
  strategy: true,
  steeringWeight: true,
  concurrency: true,
  reproducible: true,
  seed: true,
  faultRate: true,
  hardShare: true,
  userModel: true,
  maxTurns: true,
  avgTurns: true,
  minUserTurns: true,
  patience: true,
  temperature: true,
  agentMaxTokens: true,
  timeout: true,
  scaffold: true,
});
const options = z.strictObject({
  agent: z
    .string()
    .optional()
    .describe(
      'Who plays: a module ./agent.mjs#name, a model such as ollama:llama3.1 or openai:<model>, a URL, or seeded, which makes known mistakes.',
    ),
  tools: z.string().optional().describe('Tool list of the agent, JSON or YAML, in any common form.'),
  policy: z.string().optional().describe('File with the system prompt of the agent.'),
  judge: z.string().optional().describe(`Who grades: ${judgeChoices}.`),
  out: z.string().min(1).default('-').describe('File of rows to write; - is stdout.'),
  resume: z
    .boolean()
    .default(false)
    .describe('Go on with a run that was stopped: nothing that was answered is asked again.'),
  json: z.boolean().default(false).describe('Write the report to stdout as JSON; needs --out.'),
  ...engine.shape,
  spec: z
    .string()
    .optional()
    .describe('Folder or file that describes the agent: spec.json or .yaml, tools, policy, situations, rubric.md.'),
  simulator: z
    .string()
    .optional()
    .describe('Who writes the asks: templates, or a model. A model agent writes its own.'),
  seeds: z.string().optional().describe('File of asks, one a line, that are played first, word for word.'),
  opening: z.string().optional().describe('Who speaks first: user, agent, auto, or the share in which the agent does.'),
  logprobs: z.enum(['sum', 'tokens']).optional().describe('Keep log-probabilities of a model agent.'),
  stream: z.boolean().default(false).describe('Ask models for streamed replies: some hosts cut long silent ones.'),
  grade: z.boolean().default(false).describe('Grade the conduct of each row by rules, where no judge is named.'),
  tasks: z.string().optional().describe('Play the tasks of this file of rows again, and nothing else.'),
  traces: z
    .string()
    .optional()
    .describe('File of traces, in any known format, that aims the search at what went wrong.'),
});

export const simulateCommand = defineCommand({
  name: 'simulate',
  args: '',
  summary: 'Make rollouts: situations of a coverage grid, an agent, a tool world that fails now and then, a judge.',
  options,
  examples: [
    'tracemill simulate --agent seeded --tools tools.json --policy policy.md --mode rl --repeats 4 --repeat-policy fixed --budget 64 --out out/run.jsonl',
    'tracemill simulate --agent ./agent.mjs --tools tools.json --judge ./judge.mjs --budget 200 --out out/run.jsonl',
    'tracemill simulate --agent ollama:llama3.1:8b --tools tools.json --policy policy.md --budget 50 --out out/run.jsonl',
  ],
  async run(_files, given, io) {
    const { judge: judgeSpec, out, resume, json, tools: _, policy: __, ...config } = given;
    const settings = { judge: judgeSpec, ...config };
    if (resume) await checkSameRun(out, 'simulate', settings);
    await makeFolderOf(out);
    const replies = await repliesBeside(out, resume);
    const models = createModels({ stream: given.stream }, replies ? { cache: replies.cache } : {});
    const times = timeBook(systemClockNs);
    const { plan, judge } = await opened(given, models, times);
    const passes = accumulate(passAtFold());
    const statuses = judge && statusCounts(io.say);
    const { sink, before } = await openSink(out, resume, io.stop, (row) => {
      passes.add(row);
      statuses?.add(row);
    });
    plan.remember(before);
    const progress = new Progress(plan, { path: out === '-' ? undefined : out, resumed: before.length });
    await progress.tell('start');
    const { rejected, isStopped } = await runRows(io, {
      source: plan.source,
      stages: plan.stages,
      maxInFlight: plan.maxInFlight,
      sinks: { [plan.kind]: progress.counting(sink) },
      rejected: rejectedBeside(out, { isResumed: resume }),
      times,
      words: (now) => `simulate: ${rowsOf(now, 'world', 'out')} of ${plan.settings.rows} rows`,
    }).finally(() => replies?.cache.close());
    await progress.tell('stopped');
    const { rows, ...report } = plan.result();
    if (out !== '-' && !isStopped) await markCut(out, rows);
    if (!isStopped) await replies?.forget();
    const whole: Told = {
      ...report,
      stopped_because: isStopped ? 'stopped' : report.stopped_because,
      pass_at: passes.end(),
      ...(statuses && { statuses: statuses.end() }),
      models: models.use(),
      rejected,
    };
    if (out !== '-')
      await writeRunMeta(out, { ...sidecarOf(plan, { ...whole, rows }, settings), models: whole.models });
    if (json && out !== '-') io.out(`${stringifyJson(whole)}\n`);
    else say(whole, rows.length, judge !== undefined, io.say);
    if (out !== '-')
      io.say(
        `\nRows: ${out}. Next: tracemill ${judge ? `select ${out} --mode rl` : `grade ${out} --judge ./judge.mjs`}`,
      );
    if (isStopped) io.say(`Stopped. Run the same command with --resume to go on.`);
    if (isStopped) return exits.stopped;
    const failure = firstFailure(whole.statuses ?? {});
    if (failure !== undefined) {
      io.say(`Not one of ${rows.length} rows got a verdict. First error: ${failure}`);
      return exits.worldFailed;
    }
    return rows.length === 0 && plan.settings.rows > 0 ? exits.worldFailed : exits.done;
  },
});

interface Told extends Omit<SimulateResult, 'rows'> {
  /** What became of the verdicts, where a judge was named. */
  readonly statuses?: Readonly<Record<string, StatusCount>>;
  readonly pass_at: PassAt;
  readonly models: ReturnType<Models['use']>;
  readonly rejected: readonly RejectionCount[];
}

/** Read what the flags name, and set the run up. */
async function opened(given: z.output<typeof options>, models: Models, times: TimeBook) {
  const {
    agent: agentSpec,
    tools: toolsPath,
    policy,
    judge: judgeSpec,
    out: _,
    resume: __,
    json: ___,
    ...rest
  } = given;
  const { simulator, seeds, opening, logprobs, grade, stream: ____, ...config } = rest;
  const tools = toolsPath === undefined ? undefined : await readTools(toolsPath);
  const described = config.spec === undefined ? undefined : await readAgentSpec(config.spec);
  const agent = chooseAgent(agentSpec, tools ?? described?.tools ?? [], config.seed);
  const judge = await judgeOf(judgeSpec, grade, models, [...(tools ?? []), ...(described?.tools ?? [])]);
  const lines = seeds === undefined ? [] : (await readInput(seeds, '--seeds')).split('\n');
  const plan = await planSimulation(
    {
      ...config,
      agent: agent as never,
      ...(tools && { tools }),
      systemPrompt: policy === undefined ? '' : await readInput(policy, '--policy'),
      ...(simulator !== undefined && { simulator: simulator === 'templates' ? false : simulator }),
      seeds: lines.map((line) => line.trim()).filter((line) => line !== ''),
      ...(opening !== undefined && { opening: openingOf(opening) as never }),
      ...(logprobs && { logprobs: logprobs === 'sum' ? true : 'tokens' }),
    },
    { models, keep: thinRow, times, ...(judge && { judge: timedJudge(judge, times) }) },
  );
  return { plan, judge };
}

async function judgeOf(spec: string | undefined, grade: boolean, models: Models, declaredTools: readonly Tool[]) {
  if (spec !== undefined) return judgeFromSpec(spec, { models });
  return grade ? conductJudge(declaredTools) : undefined;
}

const openingOf = (word: string): string | number => (Number.isNaN(Number(word)) ? word : Number(word));

/** Open the file of rows; those of an earlier run come back, to be decided on again and not to be played. */
async function openSink(out: string, resume: boolean, stop: AbortSignal, each: (row: Row) => void) {
  const before: Row[] = [];
  let isOpen = false;
  const sink = rowsSink(
    { path: out, isResumed: resume },
    {
      stop,
      tell(row) {
        each(row);
        if (!isOpen) before.push(row);
      },
    },
  );
  await sink.open();
  isOpen = true;
  return { sink, before };
}

function say(told: Told, rows: number, isGraded: boolean, line: (text: string) => void): void {
  line(summaryOf(told, told.stopped_because, rows));
  if (isGraded) line(`\n${table([...passHead], [passCells(told.pass_at)])}`);
  for (const said of [...told.warnings, ...(isGraded ? told.pass_at.warnings : [])]) line(`Warning: ${said}`);
  line(`\n${rejectionTable(told.rejected)}`);
}

function summaryOf({ coverage }: Pick<SimulateResult, 'coverage'>, stopped: string, rows: number): string {
  const { pairs_covered, pairs_planned } = coverage.pairwise;
  return `${rows} rows of ${String(coverage['unique_scenario_ids'])} situations; ${pairs_covered} of ${pairs_planned} planned pairs shown. Stopped because: ${stopped}.`;
}

/** Rows of groups that the budget cut say so: only the end of the run knows which they are. */
async function markCut(out: string, rows: readonly Row[]): Promise<void> {
  const cut = new Set(rows.filter((row) => row['group_cut'] === true).map(({ rollout_id }) => rollout_id));
  if (cut.size > 0) await markRows(out, ({ rollout_id }) => cut.has(rollout_id), { group_cut: true });
}
