import { z } from 'zod';
import { accumulate } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { judgeFromSpec } from '../../judges/from-spec.ts';
import { planSimulation } from '../../pipelines/simulate-stages.ts';
import { simulateOptions } from '../../pipelines/simulate-stages-options.ts';
import { passAtFold } from '../../reports/pass-at/index.ts';
import type { Row } from '../../rows/row.ts';
import { nextMeta } from '../../rows/run-meta.ts';
import { toModelTool } from '../../rows/tool.ts';
import { rowsSink } from '../../sinks/rows.ts';
import { writeRunMeta } from '../../sinks/run-meta.ts';
import { rowsSource } from '../../sources/rows.ts';
import { chooseAgent } from '../choose-agent.ts';
import { defineCommand } from '../command.ts';
import { passCells, passHead } from '../figures.ts';
import { exits, type Io } from '../io.ts';
import { readInput, readTools } from '../read-inputs.ts';
import { rejectionCounts, rejectionTable } from '../rejections.ts';
import { makeFolderOf, readRows, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { checkSameRun } from '../same-run.ts';
import { table } from '../table.ts';

const { tools: _, systemPrompt: __, dimensions: ___, ...engine } = simulateOptions.shape;
const options = z.strictObject({
  agent: z.string().optional().describe('Who plays: a module ./agent.mjs#name, or seeded, which makes known mistakes.'),
  tools: z.string().optional().describe('Tool list of the agent, JSON or YAML, in any common form.'),
  policy: z.string().optional().describe('File with the system prompt of the agent.'),
  judge: z.string().optional().describe('Who grades: exact_match, json_valid ..., or a module ./judge.mjs#name.'),
  tasks: z.string().optional().describe('Play the tasks of this file of rows again, and nothing else.'),
  out: z.string().min(1).default('-').describe('File of rows to write; - is stdout.'),
  resume: z.boolean().default(false).describe('Go on with a run that was stopped.'),
  json: z.boolean().default(false).describe('Write the report to stdout as JSON; needs --out.'),
  ...engine,
});

export const simulateCommand = defineCommand({
  name: 'simulate',
  args: '',
  summary: 'Make rollouts: situations of a coverage grid, an agent, a tool world that fails now and then, a judge.',
  options,
  examples: [
    'tracemill simulate --agent seeded --tools tools.json --policy policy.md --mode rl --repeats 4 --repeat-policy fixed --budget 64 --out out/run.jsonl',
    'tracemill simulate --agent ./agent.mjs --tools tools.json --judge ./judge.mjs --budget 200 --out out/run.jsonl',
  ],
  async run(
    _files,
    { agent: agentSpec, tools: toolsPath, policy, judge: judgeSpec, tasks, out, resume, json, ...config },
    io,
  ) {
    const tools = toolsPath === undefined ? [] : await readTools(toolsPath);
    const systemPrompt = policy === undefined ? '' : await readInput(policy, '--policy');
    const agent = await chooseAgent(agentSpec, tools, config.seed);
    const judge = judgeSpec === undefined ? undefined : await judgeFromSpec(judgeSpec);
    const pinned = tasks === undefined ? undefined : await rowsOfFile(tasks, io);
    const plan = planSimulation(
      { ...withoutUndefined(config), tools: [...tools], systemPrompt },
      { agent, stop: io.stop, ...(judge && { judge }), ...(pinned && { tasks: pinned }) },
    );
    const settings = { agent: agentSpec, judge: judgeSpec, tasks, ...config };
    if (resume) await checkSameRun(out, 'simulate', settings);
    await makeFolderOf(out);
    const passes = accumulate(passAtFold());
    const rows: Row[] = [];
    const sink = rowsSink(
      { path: out, isResumed: resume },
      {
        stop: io.stop,
        tell(row) {
          passes.add(row);
          rows.push(thin(row));
        },
      },
    );
    await sink.open();
    const { counts, isStopped } = await runRows(io, {
      ...plan,
      sinks: { [plan.kind]: sink },
      rejected: rejectedBeside(out, { isResumed: resume }),
      words: (now) => `simulate: ${rowsOf(now, 'world', 'out')} of ${config.budget} rows`,
    });
    const { passAt: _thin, ...report } = plan.report(rows, counts);
    const whole = { ...report, pass_at: passes.end(), rejected: rejectionCounts(counts) };
    if (out !== '-')
      await writeRunMeta(out, {
        ...nextMeta(undefined, 'simulate', settings),
        system_prompt: systemPrompt,
        tools: tools.map((tool) => ({ ...toModelTool(tool) })),
        stopped_because: report.stopped_because,
        warnings: [...report.warnings],
        degraded: [...report.degraded],
        coverage: report.coverage,
        search: report.search,
      });
    if (json && out !== '-') io.out(`${stringifyJson(whole)}\n`);
    else {
      const { pairwise, unique_scenario_ids } = report.coverage;
      io.say(
        `${rows.length} rows of ${unique_scenario_ids} situations; ${pairwise.pairs_covered} of ${pairwise.pairs_planned} planned pairs shown. Stopped because: ${report.stopped_because}.`,
      );
      if (judge) io.say(`\n${table([...passHead], [passCells(whole.pass_at)])}`);
      for (const said of [...report.warnings, ...(judge ? whole.pass_at.warnings : [])]) io.say(`Warning: ${said}`);
      io.say(`\n${rejectionTable(whole.rejected)}`);
    }
    if (out !== '-')
      io.say(
        `\nRows: ${out}. Next: tracemill ${judge ? `select ${out} --mode rl` : `grade ${out} --judge ./judge.mjs`}`,
      );
    if (isStopped) io.say(`Stopped. Run the same command with --resume to go on.`);
    if (isStopped) return exits.stopped;
    return rows.length === 0 && config.budget > 0 ? exits.worldFailed : exits.done;
  },
});

async function rowsOfFile(path: string, io: Io): Promise<readonly Row[]> {
  const rows: Row[] = [];
  await readRows(io, {
    source: rowsSource({ paths: [path] }),
    each: (row) => rows.push(row),
    words: (now) => `tasks: ${rowsOf(now, 'source', 'out')} rows read`,
  });
  return rows;
}

/** What the report needs of a row: the run's rows are on disk and need not be held. */
const thin = ({ prompt, scenario_id, scenario_dimensions }: Row): Row => ({ prompt, scenario_id, scenario_dimensions });

const withoutUndefined = <T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never; // only keys that are there are left
