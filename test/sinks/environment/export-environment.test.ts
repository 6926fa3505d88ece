import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringifyJson } from '../../../src/core/json.ts';
import { taskChecklist } from '../../../src/judges/checklist/task-checklist.ts';
import { exportEnvironment } from '../../../src/sinks/environment/export-environment.ts';
import { createWorld } from '../../../src/world/index.ts';
import { freshFolder } from '../../folder.ts';

const tools = JSON.parse(await readFile('docs/examples/shop/tools.json', 'utf8')) as { readonly name: string }[];
const row = (scenario_id: string, reward: number, more: object = {}) => ({
  scenario_id,
  prompt: `Where is order ${scenario_id}?`,
  reward,
  seed: 7,
  final_text: 'x',
  ...more,
});
const rows = ['A1', 'B2', 'C3'].flatMap((id) => [row(id, 0), row(id, 1)]);

it('answers recorded calls byte for byte as the world here does, and grades as the judge here does', async () => {
  const out = join(await freshFolder(), 'shop');
  await exportEnvironment(rows, out, { tools });
  const calls = tools.flatMap(({ name }, n) => [
    { name, arguments: { order_id: `ORD-${n}`, query: 'lamp', reason: 'é ‰ \u2028' } },
    { name, arguments: `{"order_id": 90071992547409931, "query": "x"}` },
    { name, arguments: 'no json' },
    { name: 'no_such_tool', arguments: {} },
  ]);
  const infos = [
    { seed: 7, world_state: '', faults: {} },
    { seed: 7, world_state: 'entity missing', faults: {} },
    { seed: 8, world_state: 'entity exists', faults: { '*': { mode: 'timeout', rate: 0.5 } } },
  ];
  const messages = [
    { role: 'user', content: 'refund ORD-1' },
    { role: 'assistant', content: 'It was refunded.' },
  ];
  const requests = [
    { op: 'start', spec: { tools } },
    ...infos.flatMap((info, n) => [
      { op: 'open', episode: `e${n}`, info },
      ...calls.map((call) => ({ op: 'call', episode: `e${n}`, ...call })),
    ]),
    { op: 'grade', info: {}, prompt: 'refund ORD-1', messages },
    { op: 'grade', info: {}, prompt: 'refund ORD-1', messages, truncated: true },
    { op: 'call', episode: 'never opened', name: 'x', arguments: {} },
  ];
  const { stdout, stderr } = spawnSync(process.execPath, [join(out, 'shop', 'world.mjs')], {
    input: requests.map((request, id) => `${JSON.stringify({ id, ...request })}\n`).join(''),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const answers = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const said = answers.filter(({ content }) => content !== undefined).map(({ content }) => content);
  const ours = infos.flatMap(({ seed, faults, world_state }) => {
    const world = createWorld(tools, { seed, faults, worldState: world_state });
    return calls.map(({ name, arguments: args }) => stringifyJson(world.call(name, args)));
  });
  expect(said).toEqual(ours);
  expect(new Set(ours).size).toBeGreaterThan(calls.length / 2); // the calls reach more than one corner of the world
  const graded = taskChecklist({ prompt: 'refund ORD-1', messages, final_text: 'It was refunded.' });
  expect(answers.at(-3)).toMatchObject({ reward: graded.reward, reason_code: graded.reason_code });
  expect(answers.at(-2)).toMatchObject({ reward: 0, metrics: { truncated: 1 } });
  expect(answers.at(-1)).toEqual({ id: requests.length - 1, error: 'episode never opened is not open' });
});

it('says in its README what its gates let through, and that answer keys are inside', async () => {
  const out = join(await freshFolder(), 'My Shop');
  const keyed = rows.map((one) => ({ ...one, privileged: { reference: 'the gold of this task' } }));
  const report = await exportEnvironment(keyed, out, {
    tools,
    holdout: 0.3,
    ensureHoldout: true,
    description: 'A shop.',
  });
  expect(report).toMatchObject({ name: 'my_shop', outcome_checkable: 0, warning_codes: ['no_outcome_metadata'] });
  expect(report.holdout).toBeGreaterThan(0);
  const readme = await readFile(join(out, 'README.md'), 'utf8');
  expect(readme).toContain('A shop.');
  expect(readme).toContain('0.2 to 0.8, 0 tasks left out');
  expect(readme).toContain('Keep this package private.');
  expect(await readFile(join(out, 'pyproject.toml'), 'utf8')).toContain('"verifiers>=0.3.1,<0.5"');
});

it('keeps all phrasings of a situation on one side, for any share', async () => {
  const { buildTasks } = await import('../../../src/reports/export/build-tasks.ts');
  const many = Array.from({ length: 60 }, (_, n) => row(`S${n % 20}`, n % 2, { prompt: `ask ${n}` }));
  for (const holdout of [0.1, 0.5, 0.9]) {
    const { train, holdout: held } = buildTasks(many, { holdout, band: null });
    const sides = [train, held].map((tasks) => new Set(tasks.map(({ info }) => info.scenario_id)));
    expect([...(sides[0] ?? [])].filter((id) => sides[1]?.has(id))).toEqual([]);
    expect(train.length + held.length).toBe(60);
  }
});

it('leaves out training tasks that repeat a held-out one, when asked', async () => {
  const { buildTasks } = await import('../../../src/reports/export/build-tasks.ts');
  const ask = 'please cancel order 44 and refund the whole amount to the card I used';
  const two = [row('a', 1, { prompt: ask }), row('b', 1, { prompt: `${ask} today` }), row('c', 1)];
  const { train, report } = buildTasks(two, { holdout: [ask], dropContaminated: true });
  expect(train.map(({ info }) => info.scenario_id)).toEqual(['c']);
  expect(report).toMatchObject({ contaminated_dropped: 1, decontamination: { n_contaminated: 1 } });
});

it('counts a rollout that nobody could judge as no reward', async () => {
  const { buildTasks } = await import('../../../src/reports/export/build-tasks.ts');
  const broken = { judge_status: 'error' };
  const { report } = buildTasks([row('a', 1), row('a', 0, broken), row('a', 0, broken)], {});
  expect(report).toMatchObject({ graded_prompts: 0, tasks: 1 });
});

it('replaces an environment, and nothing else', async () => {
  const folder = await freshFolder();
  const out = join(folder, 'shop');
  await exportEnvironment(rows, out, { tools });
  await exportEnvironment(rows, out, { tools, systemPrompt: 'Be kind.' });
  expect(await readFile(join(out, 'shop', 'spec.json'), 'utf8')).toContain('Be kind.');
  const mine = join(folder, 'mine');
  await mkdir(mine);
  await writeFile(join(mine, 'notes.txt'), 'mine');
  await expect(exportEnvironment(rows, mine, { tools })).rejects.toThrow('is no environment');
  expect(await readdir(mine)).toEqual(['notes.txt']);
  expect((await readdir(folder)).sort()).toEqual(['mine', 'shop']);
});

it.each([
  ['a reward that is neither', { reward: 'judge me' }, 'module:name'],
  ['a band that is upside down', { band: [0.9, 0.1] as [number, number] }, 'lowest pass rate first'],
  ['a share of all', { holdout: 1 }, 'holdout'],
])('refuses %s', async (_, options, words) => {
  await expect(exportEnvironment(rows, join(await freshFolder(), 'x'), { tools, ...options })).rejects.toThrow(words);
});
