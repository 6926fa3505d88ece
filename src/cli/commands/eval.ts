import { z } from 'zod';
import { agentFrom } from '../../agents/agent-from.ts';
import { accumulate, foldBy } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { checklistJudge } from '../../judges/checklist/task-checklist.ts';
import { judgeChoices, judgeFromSpec } from '../../judges/from-spec.ts';
import { JudgeWatch } from '../../judges/judge-watch.ts';
import { createModels } from '../../models/models.ts';
import { planFixed } from '../../pipelines/simulate-stages.ts';
import { taskRatesFold } from '../../reports/curriculum/curriculum.ts';
import { htmlPage, verdictLine } from '../../reports/html/page.ts';
import { passSections } from '../../reports/html/pass-page.ts';
import { type PassAt, passAtFold } from '../../reports/pass-at/index.ts';
import { groupValue } from '../../rows/group-value.ts';
import type { Row } from '../../rows/row.ts';
import { rowsSink } from '../../sinks/rows.ts';
import { readAsks } from '../asks-file.ts';
import { agentChoices, chooseAgent } from '../choose-agent.ts';
import { defineCommand } from '../command.ts';
import { interval, passCells, passHead, share, unjudgedWords } from '../figures.ts';
import { exits } from '../io.ts';
import { readInput, readTools } from '../read-inputs.ts';
import { rejectionTable } from '../rejections.ts';
import { repliesBeside } from '../replies.ts';
import { isFileAt, makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { firstFailure, statusCounts } from '../status-counts.ts';
import { table } from '../table.ts';
import { htmlFlag, writePage } from '../write-page.ts';

const options = z.strictObject({
  agent: z.string().optional().describe(`Who is measured: ${agentChoices}.`),
  judge: z
    .string()
    .min(1)
    .optional()
    .describe(`Who grades: ${judgeChoices}. Without it the checklist of conduct and outcome.`),
  k: z.int().min(1).default(4).describe('Times each ask is played.'),
  tools: z.string().optional().describe('Tool list of the agent, JSON or YAML.'),
  policy: z.string().optional().describe('File with the system prompt of the agent.'),
  by: z
    .string()
    .default('rule')
    .describe(
      'Also report each value of this: a field of the rows, else of their cell, else a marker; rule is the branch of the policy.',
    ),
  seed: z.int().default(0).describe('Seed of the tool world.'),
  concurrency: z.int().min(1).default(8).describe('Rollouts at the same time.'),
  timeout: z
    .number()
    .positive()
    .default(120)
    .describe('A rollout or verdict that takes longer is given up, in seconds.'),
  gate: z.number().min(0).max(1).optional().describe('Exit with 1 when pass@1 is under this, or nothing was measured.'),
  out: z.string().min(1).optional().describe('File of graded rows to write.'),
  json: z.boolean().default(false).describe('Write the report to stdout as JSON.'),
  html: z.string().min(1).optional().describe(htmlFlag),
});

export const evalCommand = defineCommand({
  name: 'eval',
  args: '<asks>',
  summary:
    'Measure an agent on asks: pass@1 with its interval, pass^k, each branch of the policy, and what makes the run hollow.',
  options,
  examples: [
    'tracemill eval asks.jsonl --agent ./agent.mjs --tools tools.json --judge ./judge.mjs --k 4 --gate 0.8',
    'tracemill eval asks.txt --agent ollama:qwen3 --tools tools.json --policy policy.md --judge rubric:rubric.yaml:ollama:qwen3:32b --out out/eval.jsonl --html out/eval.html',
  ],
  async run([path = ''], { agent: agentSpec, judge: judgeSpec, by, k, gate, out, json, html, ...given }, io) {
    const tools = given.tools === undefined ? [] : await readTools(given.tools);
    const policy = given.policy === undefined ? '' : await readInput(given.policy, '--policy');
    const { asks: tasks, unreadable } = await readAsks(path, io);
    const unread = unreadable.reduce((sum, { rows }) => sum + rows, 0);
    if (tasks.length === 0) {
      io.say(`${path} has no ask${unread === 0 ? '' : `: ${unread} lines are none. First: ${unreadable[0]?.first}`}`);
      return gate === undefined ? exits.wrongCall : exits.gateSaidNo; // a gate with nothing measured says no
    }
    if (out !== undefined) await makeFolderOf(out);
    const replies = out === undefined ? undefined : await repliesBeside(out, true); // what a killed run was answered is asked once
    const models = createModels({}, replies ? { cache: replies.cache } : {});
    const judge = judgeSpec === undefined ? checklistJudge({ tools }) : await judgeFromSpec(judgeSpec, { models });
    const players = await agentFrom(chooseAgent(agentSpec, tools, given.seed), { models, tools });
    const { seed, concurrency, timeout } = given;
    const watch = new JudgeWatch(tools);
    const plan = planFixed(
      { tools: [...tools], systemPrompt: policy, repeats: k, seed, concurrency, timeout },
      { ...players, judge, watch, tasks },
    );
    const figures = { all: accumulate(passAtFold({ k })), rates: accumulate(taskRatesFold) };
    const statuses = statusCounts(io.say);
    const groups = accumulate(foldBy(passAtFold({ k }), (row: Row) => groupValue(row, by)));
    const tell = (row: Row): void => {
      figures.all.add(row);
      figures.rates.add(row);
      statuses.add(row);
      groups.add(row);
    };
    const isWorth = () => statuses.end()['ok'] !== undefined;
    const isThere = out !== undefined && (await isFileAt(out));
    const { rejected, isStopped } = await runRows(io, {
      source: plan.source,
      stages: plan.stages,
      maxInFlight: plan.maxInFlight,
      sinks: {
        [plan.kind]: out === undefined ? telling(tell) : rowsSink({ path: out }, { stop: io.stop, tell, isWorth }),
      },
      rejected: out === undefined ? undefined : rejectedBeside(out),
      words: (now) => `eval: ${rowsOf(now, 'judge', 'out')} rollouts graded`,
    }).finally(() => replies?.cache.close());
    if (!isStopped) await replies?.forget();
    const whole = figures.all.end();
    const parts = Object.fromEntries(groups.end());
    const hollow = hollowness(whole, figures.rates.end().size, new Set(tasks.map(({ prompt }) => prompt)).size, k);
    const noAsks = unread === 0 ? [] : [`${unread} lines of ${path} are no asks and were not played`];
    const warnings = [...watch.report().warnings, ...noAsks, ...hollow, ...whole.warnings];
    const isPassed = gate === undefined ? null : whole.pass_at_1 !== null && whole.pass_at_1 >= gate;
    const verdict = verdictOf(whole, gate, isPassed);
    const report = {
      ...whole,
      by: parts,
      statuses: statuses.end(),
      gate: gate === undefined ? null : { at: gate, ok: isPassed },
      warnings,
      models: models.use(),
      rejected: [...unreadable, ...rejected],
    };
    await writePage(html, () =>
      htmlPage(
        'Evaluation',
        verdictLine(isPassed !== false, verdict),
        passSections({ ...whole, warnings }, figures.rates.end(), parts),
      ),
    );
    if (json) io.out(`${stringifyJson(report)}\n`);
    else {
      const lines = [...Object.entries(parts), ['all', whole] as const].map(([name, one]) => [name, ...passCells(one)]);
      io.out(`${table([by, ...passHead], lines)}\n`);
      for (const said of [...unjudgedWords(whole), ...warnings.map((one) => `Warning: ${one}`), ...whole.notes])
        io.say(said);
      io.say(`\n${rejectionTable(report.rejected)}`);
      io.out(`${verdict}\n`);
    }
    if (isStopped) return exits.stopped;
    if (!isWorth()) {
      io.say(
        `Not one rollout got a verdict. First error: ${firstFailure(statuses.end()) ?? rejected[0]?.first ?? 'none was played'}`,
      );
      if (isThere) io.say(`${out} is left as it was before; what was played now stands in ${out}.partial.`);
    }
    if (isPassed === false) return exits.gateSaidNo;
    return isWorth() ? exits.done : exits.worldFailed;
  },
});

const telling = (tell: (row: Row) => void) => ({
  write: async (rows: readonly Row[]) => rows.forEach(tell),
  close: async () => {},
});

/** What makes a run say less than it seems to. */
function hollowness(whole: PassAt, measured: number, asked: number, k: number): string[] {
  const played = whole.n_rows_total;
  return [
    ...(measured < asked ? [`${asked - measured} of ${asked} asks have no graded rollout`] : []),
    ...(played < asked * k ? [`${played} of ${asked * k} planned rollouts were played; the others failed`] : []),
    ...(whole.n_rows < played
      ? [`${played - whole.n_rows} of ${played} rollouts have no verdict of pass or fail`]
      : []),
  ];
}

function verdictOf(whole: PassAt, gate: number | undefined, isPassed: boolean | null): string {
  const figure = `pass@1 ${share(whole.pass_at_1)} ${interval(whole.ci95)}`;
  if (gate === undefined) return figure;
  const low = whole.ci95?.[0] ?? 0;
  const unproven = isPassed && low < gate ? '; the interval reaches below it, more asks would prove it' : '';
  return `${figure}: the gate at ${gate} says ${isPassed ? 'yes' : 'no'}${unproven}`;
}
