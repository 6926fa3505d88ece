import type { Agent } from '../../../src/agents/agent.ts';
import { plausibleCall } from '../../../src/agents/plausible-call.ts';
import { type SeededBehavior, seededAgent } from '../../../src/agents/seeded-agent.ts';
import type { SimulateOptions } from '../../../src/pipelines/simulate/options.ts';
import { simulateSettings } from '../../../src/pipelines/simulate/options.ts';
import type { SimulateResult } from '../../../src/pipelines/simulate/result.ts';
import { simulate } from '../../../src/pipelines/simulate/simulate.ts';
import { exportRow } from '../../../src/rows/export-row.ts';
import type { Row } from '../../../src/rows/row.ts';
import { toolsFrom } from '../../../src/rows/tool.ts';
import type { Case } from '../case.ts';
import type { Adapters } from '../run-case.ts';

interface RunInput {
  readonly tools: unknown;
  readonly system_prompt?: string;
  readonly agent?: string;
  readonly task_rows?: readonly Row[];
  readonly traces?: readonly Row[];
}
type Options = Readonly<Record<string, unknown>>;
type Json = Readonly<Record<string, unknown>>;

const oneCall =
  (tools: unknown, delay?: () => number): Agent =>
  async (message, { call }) => {
    if (delay) await new Promise((done) => setTimeout(done, delay()));
    const [first] = toolsFrom(tools);
    if (!first) return 'There is nothing I could use.';
    const act = plausibleCall([first], message);
    const { status } = await call(act.tool, act.arguments);
    return `${act.tool} answered ${String(status)}.`;
  };

/** The agents that cases name in words, and how often they were called. */
function agentOf(words: string | undefined, tools: unknown): { readonly agent: Agent; readonly calls: () => number } {
  let calls = 0;
  const known: Readonly<Record<string, Agent>> = {
    'one call, one sentence': oneCall(tools),
    'one call, one sentence, random 0 to 10 ms latency': oneCall(tools, () => Math.random() * 10),
    seeded: seededAgent(tools),
    "throws Error('boom')": () => {
      throw new Error('boom');
    },
    'throws the 401 message': () => {
      throw new Error('Error code: 401 - Incorrect API key provided');
    },
    'returns a string': () => 'It is on its way.',
    'returns no steps': () => ({ final_text: 'It is on its way.' }),
    'returns null': () => null,
    'returns {role, content}': () => ({ role: 'assistant', content: 'hello' }),
    'returns an empty final_text': () => ({ final_text: '', steps: [] }),
  };
  const play = known[words ?? 'one call, one sentence'];
  if (!play) throw new Error(`no agent is described as ${words}`);
  const counted: Agent = (message, context) => {
    calls++;
    return play(message, context);
  };
  return { agent: Object.assign(counted, { modelVersion: play.modelVersion ?? 'agent' }), calls: () => calls };
}

function graderOf(words: unknown): unknown {
  if (words === undefined || words === 'hosted') return words;
  if (words === 'throws on rollout_index 1, else reward 1')
    return ({ rollout_index }: Row) => {
      if (rollout_index === 1) throw new Error('the judge is down');
      return 1;
    };
  throw new Error(`no grader is described as ${String(words)}`);
}

function optionsOf(input: RunInput, options: Options, agent: Agent): SimulateOptions {
  const { grader, tasks, traces, ...rest } = options;
  return {
    budget: 60,
    simulator: false,
    ...rest,
    agent: agent as never,
    tools: input.tools,
    systemPrompt: input.system_prompt,
    ...(grader !== undefined && { grader: graderOf(grader) as never }),
    ...(tasks !== undefined && { tasks: (tasks === 'input.task_rows' ? input.task_rows : tasks) as never }),
    ...(traces !== undefined && { traces: (traces === 'input.traces' ? input.traces : traces) as never }),
  };
}

const distinct = (rows: readonly Row[], value: (row: Row) => unknown) =>
  new Set(rows.map((row) => JSON.stringify(value(row)))).size;
const taskTuple = (row: Row) =>
  JSON.stringify([
    row.prompt,
    row.scenario_id,
    row['scenario_dimensions'],
    row['faults'] ?? null,
    row['world_state'] ?? null,
  ]);

async function outcome(input: RunInput, options: Options, golden: Case): Promise<unknown> {
  const { concurrency } = options;
  if (Array.isArray(concurrency)) return sameTasks(input, options, concurrency);
  const { agent, calls } = agentOf(input.agent, input.tools);
  const result = await simulate(optionsOf(input, options, agent));
  const { rows, search, coverage } = result;
  const asked = (golden.expect ?? {}) as Json;
  const repeat = 'identical_runs' in asked ? await repeated(input, options, rows) : {};
  const sources = new Set((input.traces ?? []).map(({ prompt }) => prompt));
  return {
    rows: rows.length,
    stopped_because: result.stopped_because,
    degraded: result.degraded,
    agent_errors: search['agent_errors'],
    first_agent_error: search['first_agent_error'],
    calls: calls(),
    k: coverage['repeats'],
    pinned: search['pinned_tasks'],
    tasks: distinct(rows, taskTuple),
    prompts: distinct(rows, ({ prompt }) => prompt),
    same_task_tuples: input.task_rows && sameSet(rows.map(taskTuple), input.task_rows.map(taskTuple)),
    per_run: countBy(rows, ({ lineage }) => String((lineage as Json | null)?.['eval_run'])),
    eval_runs: search['eval_runs'],
    rows_per_seed: countSeeds(options['seeds'], rows),
    hard_share_realized: rows.filter((row) => row['tier'] !== 'ordinary').length / Math.max(1, rows.length),
    rows_with_fault_cell_and_no_fault: rows.filter(saysFaultHasNone).length,
    groups_mixed: (search['groups'] as Json | undefined)?.['mixed'],
    mining: search['mining'],
    strategy: search['strategy'],
    focused: search['focused'],
    source_prompts_among_rows: rows.filter(({ prompt }) => sources.has(prompt)).length,
    ...repeat,
  };
}

const sameSet = (a: readonly string[], b: readonly string[]) => {
  const [left, right] = [new Set(a), new Set(b)];
  return left.size === right.size && [...left].every((one) => right.has(one));
};
const countBy = (rows: readonly Row[], key: (row: Row) => string) => {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[key(row)] = (counts[key(row)] ?? 0) + 1;
  return counts;
};
const countSeeds = (seeds: unknown, rows: readonly Row[]) =>
  Array.isArray(seeds)
    ? Object.fromEntries(seeds.map((seed) => [seed, rows.filter(({ prompt }) => prompt === seed).length]))
    : undefined;
function saysFaultHasNone(row: Row): boolean {
  const cell = row['scenario_dimensions'] as Json | null | undefined;
  const condition = cell?.['tool_condition'];
  const isRealized = cell?.['origin'] === 'realized';
  return (
    !isRealized &&
    condition !== undefined &&
    condition !== 'success' &&
    condition !== 'unspecified' &&
    row['faults'] === null
  );
}

async function repeated(input: RunInput, options: Options, rows: readonly Row[]) {
  const { agent } = agentOf(input.agent, input.tools);
  const again = await simulate(optionsOf(input, options, agent));
  const same = JSON.stringify(again.rows) === JSON.stringify(rows);
  return { identical_runs: same ? 2 : 1, identical_across_processes: same };
}

async function sameTasks(input: RunInput, options: Options, levels: readonly unknown[]) {
  const sets = await Promise.all(
    levels.map(async (concurrency) => {
      const { agent } = agentOf(input.agent, input.tools);
      const { rows } = await simulate(optionsOf(input, { ...options, concurrency }, agent));
      return rows.map(taskTuple);
    }),
  );
  return { same_prompts_and_cells: sets.every((one) => sameSet(one, sets[0] ?? [])) };
}

function typeWord(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Keys that cases list are a lower bound: more keys are fine, and a label need not be drawn. */
function rowKeysOf({ rows, coverage }: SimulateResult, golden: Case) {
  const want = golden.expect as Readonly<
    Record<
      'always' | 'may_also' | 'exported_always' | 'lineage_keys' | 'coverage_keys' | 'search_keys',
      readonly string[]
    >
  > & { readonly types: Readonly<Record<string, readonly string[]>> };
  const always = (list: readonly Json[]) =>
    Object.keys(list[0] ?? {}).filter((key) => list.every((row) => Object.hasOwn(row, key)));
  const listed = (wanted: readonly string[] = [], got: readonly string[]) => wanted.filter((key) => got.includes(key));
  const types = Object.entries(want.types ?? {}).map(([key, words]) => {
    const seen = [...new Set(rows.filter((row) => Object.hasOwn(row, key)).map((row) => typeWord(row[key])))];
    const fits = (word: string) =>
      words.includes(word) ||
      (key === 'faults' && word === 'object') ||
      (word === 'integer' && words.includes('number'));
    return [key, seen.every(fits) ? words : seen];
  });
  const lineages = rows.map(({ lineage }) => (lineage ?? {}) as Json);
  return {
    always: listed(want.always, always(rows)),
    exported_always: listed(want.exported_always, always(rows.map(exportRow) as Json[])),
    types: Object.fromEntries(types),
    lineage_keys: listed(want.lineage_keys, always(lineages)),
    coverage_keys: listed(want.coverage_keys, Object.keys(coverage)),
    may_also: want.may_also, // a draw decides which of them a run shows
    search_keys: want.search_keys, // informative
  };
}

/** Whole runs: options, agents in words, what comes out. */
export const adapters: Adapters = {
  'simulate.validate': async (_input: unknown, options: Options) => {
    const tools = [
      {
        name: 'get_booking',
        description: 'Fetch a booking.',
        parameters: { properties: { booking_id: { type: 'string' } } },
      },
    ];
    const { agent } = agentOf(undefined, tools);
    const { topology } = simulateSettings({
      ...{ agent: agent as never, tools, systemPrompt: 'Answer only booking questions.' },
      ...(options as SimulateOptions),
    });
    return {
      mode: topology.mode,
      repeat_policy: topology.repeat_policy,
      requests_per_situation: topology.n_req,
      rollouts_per_request: topology.k,
    };
  },
  'simulate.outcome': outcome,
  async rowKeys(input: RunInput, options: Options, golden) {
    const { agent } = agentOf(input.agent, input.tools);
    return rowKeysOf(await simulate(optionsOf(input, options, agent)), golden);
  },
  async 'seededAgent.run'(input: RunInput, options: { rate?: number; behaviors?: SeededBehavior[]; run: Options }) {
    const { run, ...traits } = options;
    const agent = seededAgent(input.tools, traits);
    const { rows } = await simulate(optionsOf(input, run, agent));
    const seeded = rows.map((row) => (row['seeded'] ?? []) as readonly string[]);
    const answers = new Map<string, string>();
    const consistent = rows.every((row) => {
      const key = JSON.stringify([row.prompt, row.rollout_index, row['world_state'], row['faults']]);
      const known = answers.get(key) ?? row.final_text ?? '';
      answers.set(key, known);
      return known === row.final_text;
    });
    const faulty = (row: Row) =>
      (row.steps ?? []).some(
        (step) =>
          !['ok', 'created', 'deleted'].includes(String((step['result'] as Json | undefined)?.['status'])) ||
          (step['result'] as Json)?.['stale'] === true ||
          String((step['result'] as Json)?.['data']).includes('<<garbled'),
      );
    return {
      every_row_has_seeded_list: rows.every((row) => Array.isArray(row['seeded'])),
      seeded_share: seeded.filter((list) => list.length > 0).length / rows.length,
      kinds_seen: [...new Set(seeded.flat())],
      at_most_one_kind_per_row: seeded.every((list) => list.length <= 1),
      ignore_fault_only_after_a_fault: rows.every((row, n) => !seeded[n]?.includes('ignore_fault') || faulty(row)),
      leak_only_with_a_privileged_block: rows.every(
        (row, n) => !seeded[n]?.includes('leak') || row['privileged'] != null,
      ),
      one_call_per_row: rows.every(({ steps }) => (steps ?? []).filter((step) => step['tool']).length === 1),
      same_prompt_and_index_same_answer: consistent,
    };
  },
};
