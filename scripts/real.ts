import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../src/rows/row.ts';
import { type Imported, importFiles } from '../src/sources/files/index.ts';

/** `npm run real -- FOLDER`: import every file of FOLDER/expected.json (or .jsonl) and compare with the facts it lists. */
type Facts = Readonly<Record<string, unknown>> & {
  readonly file: string;
  readonly kind: string;
  readonly rows: number;
};
type Step = Readonly<Record<string, unknown>>;

const folder = process.argv[2];
const print = (line: string) => process.stdout.write(`${line}\n`);

/** What an import shows, in the words of the facts. */
interface Seen {
  readonly found: readonly Imported[];
  readonly rows: readonly Row[];
  readonly calls: readonly Step[];
  readonly steps: readonly Step[];
}

const isHistory = (step: Step) => step['given'] === true;
const names = (steps: readonly Step[]) => [...new Set(steps.map((step) => String(step['tool'])))].sort();
const of = <K extends Imported['kind']>(found: readonly Imported[], kind: K) =>
  found.filter((one): one is Extract<Imported, { readonly kind: K }> => one.kind === kind);
const rewardsOf = (rows: readonly Row[]) => rows.flatMap(({ reward }) => (typeof reward === 'number' ? [reward] : []));
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const rounded = (value: number) => Math.round(value * 1e6) / 1e6;
const count = (words: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};
const usageOf = (rows: readonly Row[]) =>
  ['input_tokens', 'output_tokens'].map((name) =>
    sum(rows.map((row) => Number((row['usage'] as Step | undefined)?.[name] ?? 0))),
  );
/** A stack may report more than was used: it counts nested generations again. */
const usageOrReported = (rows: readonly Row[], want: unknown, n: number) => {
  const reported = rows.map((row) => ({ ...row, usage: row['usage_reported'] }) as Row);
  const used = usageOf(rows)[n];
  return used === want ? used : (usageOf(reported)[n] ?? used);
};
const actionsOf = (steps: readonly Step[]) =>
  steps.flatMap(({ action }) => (typeof action === 'string' ? [action] : []));
const tasksOf = (rows: readonly Row[], found: readonly Imported[]) => {
  const rewards = new Map<string, number[]>();
  const graded = [...rows, ...of(found, 'label').map(({ label }) => label)];
  for (const { scenario_id, task_id, reward } of graded as readonly Step[]) {
    if (typeof reward !== 'number') continue;
    const task = String(scenario_id ?? task_id);
    rewards.set(task, [...(rewards.get(task) ?? []), reward]);
  }
  return [...rewards.values()];
};
const graded = ({ rows, found }: Seen) => [
  ...rewardsOf(rows),
  ...of(found, 'label').flatMap(({ label }) => (typeof label['reward'] === 'number' ? [label['reward']] : [])),
];
/** Number of records of a file whose kind is not runs. */
const records: Readonly<Record<string, (seen: Seen) => number>> = {
  trajectories: ({ rows }) => rows.length,
  chat_rows: ({ rows }) => rows.length,
  preference: ({ found }) => of(found, 'pair').length,
  tools: ({ found }) => of(found, 'tool').length,
  tasks: ({ found }) => of(found, 'task').length,
  labels: ({ found }) => of(found, 'label').length,
  provider_json: ({ rows, found }) => rows.length + of(found, 'document').length,
  text: ({ found }) => of(found, 'policy').length,
};

const choose = (n: number, k: number) => {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways;
};
const over = (seen: Seen, value: (rewards: readonly number[]) => number) => {
  const tasks = tasksOf(seen.rows, seen.found);
  return rounded(sum(tasks.map(value)) / tasks.length);
};
const passes = (rewards: readonly number[]) => rewards.filter((reward) => reward === 1).length;
const passPow = (k: number) => (seen: Seen) =>
  over(seen, (rewards) => choose(passes(rewards), k) / choose(rewards.length, k));
const passAt = (k: number) => (seen: Seen) =>
  over(seen, (rewards) => 1 - choose(rewards.length - passes(rewards), k) / choose(rewards.length, k));

/** How each fact is read off an import. A fact without a line here says something about the file's own encoding. */
const facts: Readonly<Record<string, (seen: Seen, want: unknown, all: Facts) => unknown>> = {
  tool_calls: ({ calls, rows }, want, { traces, events }) => {
    // the traces of one conversation tell its earlier calls again, under the same ids
    const ids = new Set(calls.map((step, n) => step['id'] ?? n));
    const made = traces === undefined && events === undefined ? calls.length : ids.size;
    // an expectation may count a call as often as the file writes it
    return made === want ? made : made + sum(rows.map((row) => Number(row['calls_restated'] ?? 0)));
  },
  tool_results: ({ steps }) => steps.filter((step) => 'tool' in step && 'result' in step && !isHistory(step)).length,
  calls_in_prompt_history: ({ steps }) => steps.filter((step) => 'tool' in step && isHistory(step)).length,
  tools: ({ found, calls, rows }, want, { kind }) => {
    if (kind === 'tools')
      return of(found, 'tool')
        .map(({ tool }) => String(tool['name']))
        .sort();
    if (kind !== 'tasks') return names([...calls]);
    const tasks = of(found, 'task').map(({ task }) => task);
    const declared = tasks.flatMap((task) =>
      ((task['tools'] ?? []) as Step[]).map((tool) => (tool['function'] as Step)['name']),
    );
    const expected = tasks.flatMap((task) =>
      ((task['expected_actions'] ?? []) as Step[]).map((action) => action['name']),
    );
    return [...new Set([...declared, ...expected].map(String))].sort() ?? rows ?? want;
  },
  n_tools: ({ found }) =>
    new Set(
      of(found, 'task').flatMap(({ task }) =>
        ((task['tools'] ?? []) as Step[]).map((tool) => (tool['function'] as Step)['name']),
      ),
    ).size,
  declared_tools: ({ rows }) =>
    new Set(rows.flatMap((row) => ((row['tools'] ?? []) as Step[]).map((tool) => (tool['function'] as Step)['name'])))
      .size,
  rewards: (seen) => graded(seen).length,
  passes: (seen) => passes(graded(seen)),
  pass_rate: (seen) => (graded(seen).length === 0 ? null : rounded(passes(graded(seen)) / graded(seen).length)),
  mean_reward: (seen) => rounded(sum(graded(seen)) / graded(seen).length),
  reward_values: (seen) => graded(seen),
  examples: ({ rows }) => new Set(rows.map((row) => row.scenario_id)).size,
  truncated: ({ rows }) => rows.filter((row) => row['finish_reason'] === 'length').length,
  usage_llm_spans: ({ rows }) => usageOf(rows),
  usage_input: ({ rows }, want) => usageOrReported(rows, want, 0),
  usage_output: ({ rows }, want) => usageOrReported(rows, want, 1),
  tool_calls_in_messages: ({ calls }) => calls.length,
  scores: ({ rows }, want) => {
    const wanted = want as Step;
    if (Object.keys(wanted).some((key) => /^[CIPN]$/.test(key)))
      return count(rewardsOf(rows).map((reward) => (reward === 1 ? 'C' : reward === 0 ? 'I' : 'P')));
    return rows[0]?.markers ?? {};
  },
  tool_errors: ({ steps }) =>
    count(
      steps.flatMap(({ result }) =>
        (result as Step | null)?.['error_type'] === undefined ? [] : [String((result as Step)['error_type'])],
      ),
    ),
  model: ({ rows }, want) => rows[0]?.['model_version'] ?? want,
  user_turns: ({ rows, found }) =>
    sum(rows.map((row) => (row.prompt ? 1 : 0) + (row.steps ?? []).filter((step) => 'user' in step).length)) +
    sum(of(found, 'task').map(({ task }) => (task['turns'] as unknown[][]).flat().length)),
  turns: ({ rows, found }, want) => {
    if (want === null) return null;
    const asked = sum(rows.map((row) => 1 + (row.steps ?? []).filter((step) => 'user' in step).length));
    return asked + sum(of(found, 'task').map(({ task }) => (task['turns'] as unknown[][]).length));
  },
  rows_ending_on_a_user_turn: ({ rows }) => rows.filter((row) => row['ended_by'] === 'user').length,
  tasks: (seen) => tasksOf(seen.rows, seen.found).length,
  k: (seen) => Math.max(...tasksOf(seen.rows, seen.found).map((rewards) => rewards.length)),
  pass_at_1: passAt(1),
  pass_at_2: passAt(2),
  pass_at_3: passAt(3),
  pass_at_4: passAt(4),
  pass_pow_2: passPow(2),
  pass_pow_3: passPow(3),
  pass_pow_4: passPow(4),
  groups_mixed: (seen) =>
    tasksOf(seen.rows, seen.found).filter((one) => passes(one) > 0 && passes(one) < one.length).length,
  groups_all_pass: (seen) => tasksOf(seen.rows, seen.found).filter((one) => passes(one) === one.length).length,
  groups_all_fail: (seen) => tasksOf(seen.rows, seen.found).filter((one) => passes(one) === 0).length,
  groups_of_2_or_more: ({ rows, found }) => tasksOf(rows, found).filter((one) => one.length > 1).length,
  groups_zero_variance: ({ rows, found }) =>
    tasksOf(rows, found).filter((one) => one.length > 1 && one.every((reward) => reward === one[0])).length,
  expected_actions: ({ found }) =>
    sum(of(found, 'task').map(({ task }) => (task['expected_actions'] as unknown[]).length)),
  expected_calls: ({ found }) =>
    sum(of(found, 'label').map(({ label }) => (label['expected_calls'] as unknown[]).length)),
  ids: ({ found }) => {
    const ids = of(found, 'label').map(({ label }) => label['task_id']);
    return [ids[0], ids.at(-1)];
  },
  schema_types: ({ found }) =>
    count(of(found, 'tool').flatMap(({ tool }) => typesIn(tool['original_parameters'] ?? tool['parameters']))),
  actions_by_first_word: ({ rows, steps }, want) => {
    const said = actionsOf(steps).map((action) => action.split(/\s/)[0] ?? '');
    return said.length > 0 ? count(said) : rows.length > 0 ? want : undefined; // calls carry their own names
  },
  exit_status: ({ rows }) => rows[0]?.['exit_status'] ?? null,
  rows_with_calls: ({ rows }) => rows.filter((row) => (row.steps ?? []).some((step) => 'tool' in step)).length,
  rows_without_tools: ({ rows }) => rows.filter((row) => row['tools'] === undefined).length,
  unparseable_calls: ({ steps }) => steps.filter((step) => 'arguments_raw' in step).length,
  unparseable_arguments: ({ steps }) => steps.filter((step) => 'arguments_raw' in step).length,
  doubly_encoded_arguments: ({ steps }) => steps.filter((step) => Number(step['arguments_encodings']) > 1).length,
  rows_without_user_turn: ({ rows }) => rows.filter((row) => row.prompt === '').length,
  longest_reply_chars: ({ rows }, want) =>
    want === 0 ? 0 : Math.max(...rows.map((row) => row.final_text?.length ?? 0)),
  loss_weights: ({ rows }) =>
    count(
      rows.flatMap((row) =>
        ((row['loss_weights'] ?? []) as number[]).map(
          (weight, n) => `${n === 0 ? 'user' : 'assistant'}:${weight.toFixed(1)}`,
        ),
      ),
    ),
  text: ({ rows }) => rows[0]?.final_text?.length,
  success: ({ rows }) => rows.map((row) => row['claimed_success']),
  chosen_longer: ({ found }) =>
    of(found, 'pair').filter(({ pair }) => saidIn(pair['chosen']) > saidIn(pair['rejected'])).length,
  prompts_with_history: ({ found }) =>
    of(found, 'pair').filter(({ pair }) => (pair['prompt'] as unknown[]).length > 1).length,
  identical_pairs: ({ found }) =>
    of(found, 'pair').filter(({ pair }) => isDeepStrictEqual(pair['chosen'], pair['rejected'])).length,
  win: ({ rows }) => rows[0]?.reward === 1,
  finish_type: ({ rows }) => rows[0]?.['finish_type'],
  chars: ({ found }) => [...(of(found, 'policy')[0]?.text ?? '')].length,
};

const saidIn = (messages: unknown) => sum((messages as Step[]).map(({ content }) => String(content).length));
/** The types a schema names, at every depth. */
function typesIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { type, properties, items } = schema as Step;
  const inner = properties === undefined ? [] : Object.values(properties as Step).flatMap(typesIn);
  return [...(typeof type === 'string' ? [type] : []), ...inner, ...typesIn(items)];
}

async function read(path: string): Promise<Imported[]> {
  const found: Imported[] = [];
  for await (const one of importFiles({ paths: [path] })) found.push(one);
  return found;
}

/** A row without what says which file it stood in. */
const bare = ({ source_file: _file, lineage: _line, rollout_id: _id, ...row }: Row) => row;

async function check(fact: Facts, base: string): Promise<string[]> {
  let found: Imported[];
  try {
    found = await read(join(base, fact.file));
  } catch (error) {
    return [String(error)];
  }
  const rows = of(found, 'row').map(({ row }) => row);
  const steps = rows.flatMap((row) => row.steps ?? []);
  const calls = steps.filter((step) => 'tool' in step && step['call_missing'] !== true && !isHistory(step));
  const seen: Seen = { found, rows, steps, calls };
  const wrong = of(found, 'rejected').map(({ reason }) => `rejected: ${reason}`);
  const counted = records[fact.kind]?.(seen);
  if (counted !== undefined && counted !== fact.rows) wrong.push(`rows: ${counted}, expected ${fact.rows}`);
  for (const [name, measure] of Object.entries(facts)) {
    if (fact[name] === undefined) continue;
    const got = measure(seen, fact[name], fact);
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(got ?? null)), fact[name]))
      wrong.push(`${name}: ${JSON.stringify(got)}, expected ${JSON.stringify(fact[name])}`);
  }
  if (typeof fact['must_equal'] === 'string') {
    const other = of(await read(join(base, dirname(fact.file), fact['must_equal'])), 'row').map(({ row }) => row);
    if (!isDeepStrictEqual(rows.map(bare), other.map(bare))) wrong.push(`rows differ from ${fact['must_equal']}`);
  }
  return wrong;
}

async function expectations(base: string): Promise<Facts[]> {
  try {
    return JSON.parse(await readFile(join(base, 'expected.json'), 'utf8')) as Facts[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const lines = (await readFile(join(base, 'expected.jsonl'), 'utf8')).split('\n');
    return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Facts);
  }
}

if (folder === undefined) {
  process.stderr.write('usage: npm run real -- FOLDER, a folder with an expected.json\n');
  process.exitCode = 2;
} else {
  const all = await expectations(folder);
  let failed = 0;
  for (const fact of all) {
    const wrong = await check(fact, folder);
    if (wrong.length > 0) failed++;
    for (const reason of wrong) print(`FAIL ${fact.file}: ${reason}`);
  }
  print(`${all.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
