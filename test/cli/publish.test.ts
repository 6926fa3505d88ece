import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Row } from '../../src/rows/row.ts';
import { setFormats } from '../../src/sinks/open-set.ts';
import { trainingParts } from '../../src/sinks/training-parts.ts';
import { fakeHub, goodToken } from '../fake-hub.ts';
import { inFolder } from './in-folder.ts';

const environment = { ...process.env };
const { at, call, linesOf } = inFolder();
afterEach(() => {
  process.env = { ...environment };
});

const cities = ['Rome', 'Oslo', 'Lima', 'Kyiv', 'Bonn', 'Nice', 'Cork', 'Graz', 'Riga', 'Bern'];
/** Four rollouts of each task: of three tasks one is always solved, one now and then in two of four. */
const rollout = (task: number, n: number): Row => {
  const reward = task % 3 === 0 ? 1 : n % 2;
  const city = cities[(task * 7 + n * 3) % 10];
  return {
    schema_version: '1',
    rollout_id: `r-${task}-${n}`,
    scenario_id: `situation-${task}`,
    prompt: `Where is order ${task * 31 + 100}?`,
    steps: [{ tool: 'get_order', arguments: { id: task * 31 + 100, depth: n }, result: { city, n: task + n } }],
    final_text:
      reward === 1 ? `Order ${task * 31 + 100} is in ${city}.` : `I could not find it, ${city} did not answer.`,
    reward,
    judge_name: 'where',
    judge_meta: { version: 'w2', scorer_kind: 'rule' },
    stance: 'plain',
    world_state: 'fresh',
    lineage: { trace_id: `trace-${task}`, source_file: 'traces.jsonl' },
    privileged: { reference: `the hidden shelf of order ${task}`, hidden_state: { shelf: task } },
  };
};
const rows = (tasks: number): Row[] =>
  Array.from({ length: tasks }, (_, task) => [0, 1, 2, 3].map((n) => rollout(task, n))).flat();
async function graded(all: readonly Row[]): Promise<string> {
  await writeFile(at('graded.jsonl'), all.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const meta = {
    schema_version: '1',
    system_prompt: 'You look orders up.',
    tools: [{ name: 'get_order', parameters: { type: 'object' } }],
  };
  await writeFile(at('graded.meta.json'), JSON.stringify(meta));
  return at('graded.jsonl');
}

it('every format is the same rows as JSON lines and as Parquet, without an answer key', async () => {
  const input = await graded(rows(6));
  for (const format of setFormats) {
    for (const end of ['jsonl', 'parquet']) {
      const { exit, said } = await call('export', input, '--format', format, '--out', at(`${format}.${end}`));
      expect([format, end, exit, exit === 0 ? '' : said]).toEqual([format, end, 0, '']);
      await call(
        'import',
        at(`${format}.${end}`),
        '--out',
        at(`${format}.${end}.rows.jsonl`),
        '--salt',
        'a-salt-for-both',
      );
    }
    const text = await readFile(at(`${format}.jsonl`), 'utf8');
    if (format !== 'opsd') expect(text).not.toContain('hidden shelf');
  }
  for (const format of ['rows', 'openai', 'trl', 'opd'])
    expect(await imported(`${format}.parquet`)).toEqual(await imported(`${format}.jsonl`));
  expect((await imported('rows.parquet')).map(({ rollout_id }) => rollout_id)).toEqual(
    rows(6).map(({ rollout_id }) => rollout_id),
  );
}, 60_000);

/** The rows of an import, but for the name and the kind of the file that they came from. */
const imported = async (name: string): Promise<Record<string, unknown>[]> =>
  (await linesOf(`${name}.rows.jsonl`)).map(({ source_file: _, lineage: { source_file: __, ...lineage }, ...row }) => ({
    ...row,
    lineage,
  }));

it('the formats of a trainer hold what it reads', async () => {
  const input = await graded(rows(6));
  for (const format of ['grpo', 'opsd', 'opd', 'reward', 'pairs'])
    await call('export', input, '--format', format, '--out', at(`${format}.jsonl`), '--lo', '0', '--hi', '1');
  const prompts = await linesOf('grpo.jsonl');
  expect(prompts).toHaveLength(6);
  expect(prompts[1]).toMatchObject({
    prompt: [
      { role: 'system', content: 'You look orders up.' },
      { role: 'user', content: 'Where is order 131?' },
    ],
    pass_rate: 0.5,
    n_rollouts: 4,
  });
  expect(JSON.parse(prompts[1].info)).toMatchObject({
    scenario_id: 'situation-1',
    world_state: 'fresh',
    stance: 'plain',
  });
  const hints = await linesOf('opsd.jsonl');
  expect(hints[1].teacher_prompt[0].content).toContain('the hidden shelf of order 1');
  expect(hints[1].prompt).toEqual(prompts[1].prompt);
  const students = await linesOf('opd.jsonl');
  expect([students.length, 'reward' in students[0], 'judge_name' in students[0]]).toEqual([24, false, false]);
  const [pair] = await linesOf('reward.jsonl');
  expect(pair).toMatchObject({ margin: 1, prompt: [{}, { role: 'user' }], chosen: [{ role: 'assistant' }, {}, {}] });
  const { exit, said } = await call(
    'publish',
    input,
    '--format',
    'grpo',
    '--out',
    at('set'),
    '--mode',
    'rl',
    '--lo',
    '0',
    '--hi',
    '1',
  );
  expect([exit, said]).toEqual([0, expect.stringContaining('train:')]);
});

it('why answers for fifty kept and fifty dropped rows, and for where each stands', async () => {
  const input = await graded(rows(40));
  await call('select', input, '--mode', 'rl', '--out', at('selected.jsonl'));
  await call('export', at('selected.jsonl'), '--format', 'trl', '--out', at('train.jsonl'));
  const lines = await linesOf('train.jsonl');
  const kept = (await linesOf('selected.jsonl')).map(({ rollout_id }) => rollout_id).slice(0, 50);
  const all = new Set((await linesOf('selected.jsonl')).map(({ rollout_id }) => rollout_id));
  const dropped = rows(40)
    .map(({ rollout_id }) => String(rollout_id))
    .filter((id) => !all.has(id))
    .slice(0, 50);
  expect([kept.length, dropped.length]).toEqual([50, 50]);
  for (const id of [...kept, ...dropped]) {
    const { exit, out } = await call('why', id, '--in', at(''), '--json');
    expect([id, exit]).toEqual([id, 0]);
    const { decisions } = JSON.parse(out);
    const [, task] = id.split('-');
    const { decision } = decisions[0];
    expect(decision).toMatchObject({
      step: 'select',
      source: { trace_id: `trace-${task}`, source_file: 'traces.jsonl' },
      situation: { scenario_id: `situation-${task}`, stance: 'plain', world_state: 'fresh' },
      judge: { name: 'where', version: 'w2' },
    });
    const band = decision.gates.find(({ gate }: { gate: string }) => gate === 'contrast');
    expect(band.numbers).toMatchObject({ n: 4, pass_rate: Number(task) % 3 === 0 ? 1 : 0.5 });
    if (all.has(id)) {
      const said = decisions.at(-1).decision;
      expect([decision.decision, said.step, said.file]).toEqual(['kept', 'export', at('train.jsonl')]);
      expect(lines[said.line - 1].lineage.trace_id).toBe(`trace-${task}`);
    } else expect([decision.decision, decision.reason, decisions.length]).toEqual(['left', 'always_solved', 1]);
  }
  const words = await call('why', String(dropped[0]), '--in', at(''));
  expect(words.out).toContain('left out by select-for-rl: always_solved'.replace('select-for-rl', 'keep-for-rl'));
  const unknown = await call('why', 'nobody', '--in', at(''));
  expect([unknown.exit, unknown.said]).toEqual([3, expect.stringContaining('no decision about it')]);
}, 60_000);

it('why knows the parts of a set that grows, and the rows that no part may hold', async () => {
  const bad = {
    ...rollout(2, 1),
    rollout_id: 'bad',
    steps: [{ tool: 'get_order', arguments_raw: '{"id":', result: '' }],
  };
  await trainingParts({ folder: at('training') }).write([rollout(1, 0), rollout(1, 1), bad]);
  const good = JSON.parse((await call('why', 'r-1-1', '--in', at(''), '--json')).out).decisions;
  expect(good).toMatchObject([
    { decision: { decision: 'kept', file: expect.stringMatching(/^parts\//), line: 2, judge: { version: 'w2' } } },
  ]);
  const left = JSON.parse((await call('why', 'bad', '--in', at(''), '--json')).out).decisions;
  expect(left).toMatchObject([{ decision: { decision: 'left', reason: 'tool_call_roundtrip_invalid' } }]);
});

it('a set leaves only through the gate, train and held-out tasks apart, with its card', async () => {
  const input = await graded(rows(30));
  const { exit, said } = await call('publish', input, '--out', at('set'), '--mode', 'rl', '--license', 'apache-2.0');
  expect([exit, said]).toEqual([0, expect.stringContaining('holdout:')]);
  const [train, held] = [await linesOf('set/data/train.jsonl'), await linesOf('set/data/holdout.jsonl')];
  expect(train.length + held.length).toBe(120);
  const tasks = new Set(train.map(({ scenario_id }) => scenario_id));
  expect(held.some(({ scenario_id }) => tasks.has(scenario_id))).toBe(false);
  const card = await readFile(at('set/README.md'), 'utf8');
  const matter = parse(/^---\n([\s\S]*?)\n---/.exec(card)?.[1] ?? '');
  expect(matter).toMatchObject({
    license: 'apache-2.0',
    size_categories: ['n<1K'],
    task_categories: ['text-generation'],
    configs: [
      { config_name: 'default', data_files: [{ split: 'train', path: 'data/train.jsonl' }, { split: 'holdout' }] },
    ],
  });
  expect(card).toMatch(/\| pass@1 \| 0\.\d+ \| 0\.\d+ to 0\.\d+ \|/);
  const why = JSON.parse((await call('why', 'r-1-0', '--in', at(''), '--json')).out).decisions;
  expect(why.map(({ decision }: { decision: { by: string } }) => decision.by)).toEqual(['publish-gate', 'openai-set']);
  expect(why[0].decision.gates.at(-1).numbers).toMatchObject({ n_mixed: expect.any(Number) });
});

it('a refused set writes nothing, ends with 1, says why of the set and of the row at fault', async () => {
  const leak = { ...rollout(1, 1), final_text: 'It is on the hidden shelf of order 1, I was told.' };
  const all = rows(10).map((row) => (row.rollout_id === leak.rollout_id ? leak : row));
  const input = await graded(all);
  await writeFile(at('graded.jsonl.privileged.jsonl'), '');
  const refused = await call('publish', input, '--out', at('set'), '--holdout', '0');
  expect([refused.exit, refused.said]).toEqual([1, expect.stringContaining('privileged_leak')]);
  expect(await readdir(at(''))).not.toContain('set');
  const reasonOf = async (id: string) =>
    JSON.parse((await call('why', id, '--in', at(''), '--json')).out).decisions[0].decision.reason;
  expect([await reasonOf('r-1-1'), await reasonOf('r-1-0')]).toEqual(['privileged_leak', 'set_refused']);

  const clean = await graded(rows(10));
  await writeFile(
    at('evaluation.jsonl'),
    `${JSON.stringify({ ...rollout(1, 0), scenario_id: 'other', rollout_id: 'e' })}\n`,
  );
  const contaminated = await call(
    'publish',
    clean,
    '--out',
    at('set'),
    '--holdout',
    '0',
    '--against',
    at('evaluation.jsonl'),
  );
  expect([contaminated.exit, contaminated.said]).toEqual([1, expect.stringContaining('contaminated')]);
});

it('a push goes through the gate, to a private repository, and its splits come back as they left', async () => {
  const hub = await fakeHub();
  process.env['HF_ENDPOINT'] = hub.url;
  process.env['HF_TOKEN'] = goodToken;
  const input = await graded(rows(20));
  const pushed = await call(
    'publish',
    input,
    '--push-to',
    'me/orders',
    '--format',
    'rows',
    '--parquet',
    '--mode',
    'rl',
  );
  expect([pushed.exit, pushed.said]).toEqual([0, expect.stringContaining('Pushed to me/orders as v1')]);
  expect(pushed.said + pushed.out).not.toContain(goodToken);
  expect(hub.repo('dataset', 'me/orders')?.visibility).toBe('private');
  await call('import', 'hf://me/orders#train', '--out', at('back.jsonl'));
  const back = await linesOf('back.jsonl');
  expect(back.every(({ calibration }) => calibration.n === 4)).toBe(true);
  expect(JSON.stringify(back)).not.toContain('hidden shelf');

  const before = hub.repo('dataset', 'me/orders')?.commits.length;
  await graded(rows(20).map((row) => ({ ...row, reward: 1 })));
  const refused = await call('export', input, '--format', 'openai', '--push-to', 'me/orders');
  expect([refused.exit, refused.said]).toEqual([1, expect.stringContaining('no_mixed_groups')]);
  expect(hub.repo('dataset', 'me/orders')?.commits.length).toBe(before);
  const hints = await call('export', input, '--format', 'opsd', '--push-to', 'me/orders');
  expect([hints.exit, hints.said]).toEqual([2, expect.stringContaining('never leave')]);

  await writeFile(at('adapter_config.json'), '{}');
  const adapter = await call('export', at(''), '--format', 'adapter', '--push-to', 'me/adapter', '--tag', 'step-100');
  expect([adapter.exit, [...(hub.repo('model', 'me/adapter')?.tags.keys() ?? [])]]).toEqual([0, ['step-100']]);
  delete process.env['HF_TOKEN'];
  expect((await call('publish', input, '--push-to', 'me/orders')).said).toContain('HF_TOKEN');
});

it('a card beside an export names what was left out before, and never replaces a README of your own', async () => {
  const input = await graded(rows(12));
  await call('select', input, '--mode', 'rl', '--out', at('selected.jsonl'));
  const out = ['--format', 'pairs-trl', '--out', at('pairs.parquet'), '--card'];
  expect((await call('export', at('selected.jsonl'), ...out)).exit).toBe(0);
  expect(await readFile(at('README.md'), 'utf8')).toContain('| select | `always_solved` | 16 |');
  expect((await call('export', at('selected.jsonl'), ...out)).exit).toBe(0);
  await writeFile(at('README.md'), '# Mine\n');
  expect((await call('export', at('selected.jsonl'), ...out)).exit).toBe(2);
  expect(await readFile(at('README.md'), 'utf8')).toBe('# Mine\n');
});

it('a push of a folder with answer keys and rejected rows in it sends the card and the splits alone', async () => {
  const hub = await fakeHub();
  process.env['HF_ENDPOINT'] = hub.url;
  process.env['HF_TOKEN'] = goodToken;
  const input = await graded(rows(20));
  const push = () => call('publish', input, '--out', at('set'), '--push-to', 'me/orders', '--mode', 'rl');
  expect((await push()).exit).toBe(0);
  for (const name of ['rows.jsonl.privileged.jsonl', 'rows.rejected.jsonl', 'replies.jsonl', 'data/old.jsonl'])
    await writeFile(at(`set/${name}`), '{"reference":"the hidden shelf of order 1"}\n');
  expect((await push()).exit).toBe(0);
  expect([...(hub.repo('dataset', 'me/orders')?.commits.at(-1)?.files.keys() ?? [])].toSorted()).toEqual([
    '.gitattributes',
    'README.md',
    'data/holdout.jsonl',
    'data/train.jsonl',
    'history.jsonl',
  ]);
});

it('publish into a folder of your own writes nothing over your README', async () => {
  const input = await graded(rows(12));
  await mkdir(at('mine'));
  await writeFile(at('mine/README.md'), '# Mine\n');
  const { exit, said } = await call('publish', input, '--out', at('mine'), '--mode', 'rl');
  expect([exit, said]).toEqual([2, expect.stringContaining('is no card')]);
  expect([await readFile(at('mine/README.md'), 'utf8'), await readdir(at('mine'))]).toEqual([
    '# Mine\n',
    ['README.md'],
  ]);
  const file = await call('publish', input, '--out', join(input, 'set'), '--mode', 'rl');
  expect([file.exit, file.said]).toEqual([expect.any(Number), expect.stringContaining('TM_SINK')]);
});

it('a set that is published again without a held-out part leaves no split of the one before', async () => {
  const input = await graded(rows(20));
  await call('publish', input, '--out', at('set'), '--mode', 'rl', '--parquet');
  expect((await readdir(at('set/data'))).toSorted()).toEqual(['holdout.parquet', 'train.parquet']);
  await writeFile(at('set/data/mine.jsonl'), '{}\n');
  await call('publish', input, '--out', at('set'), '--mode', 'rl', '--holdout', '0');
  expect((await readdir(at('set/data'))).toSorted()).toEqual(['mine.jsonl', 'train.jsonl']);
});

it('an evaluation that cannot be read is no evaluation that was passed', async () => {
  const input = await graded(rows(10));
  const text = rows(10).map((row) => `${JSON.stringify({ ...row, reward: String(row.reward) })}\n`);
  await writeFile(at('unreadable.jsonl'), text.join(''));
  await writeFile(at('none.jsonl'), '');
  const one = await call('publish', input, '--out', at('set'), '--against', at('unreadable.jsonl'));
  expect([one.exit, one.said]).toEqual([3, expect.stringContaining('40 rows of the evaluation cannot be read')]);
  const none = await call('publish', input, '--out', at('set'), '--against', at('none.jsonl'));
  expect([none.exit, none.said]).toEqual([3, expect.stringContaining('there is no row of the evaluation')]);
  expect(await readdir(at(''))).not.toContain('set');
});

it('publish tells what it could not read, on the terminal, as JSON and on the card', async () => {
  const input = await graded(rows(10));
  await writeFile(at('words.jsonl'), `${JSON.stringify({ ...rollout(1, 1), rollout_id: 'w', reward: 'good' })}\n`);
  const done = await call('publish', input, at('words.jsonl'), '--out', at('set'), '--json');
  expect([done.exit, done.said]).toEqual([0, expect.stringContaining('words.jsonl:1')]);
  expect(JSON.parse(done.out).rejected).toMatchObject([{ reason: 'invalid_row', rows: 1 }]);
  expect(await readFile(at('set/README.md'), 'utf8')).toContain('| publish | `invalid_row` | 1 |');
  const nothing = await call('publish', at('words.jsonl'), '--out', at('other'));
  expect([nothing.exit, nothing.said]).toEqual([3, expect.stringContaining('there is no row to publish')]);
});

it('publish passes on what the writer of the set warns of, and says that no task was held out', async () => {
  const input = await graded(rows(3));
  const done = await call('publish', input, '--out', at('set'), '--mode', 'sft', '--holdout', '0.0001', '--json');
  expect(JSON.parse(done.out).warnings).toEqual([
    expect.stringContaining('failed their judge'),
    expect.stringContaining('there is no holdout split'),
  ]);
  expect(done.said).toContain('failed their judge');
});

it.each([['--against', 'nowhere.jsonl'], ['--strict-hacks'], ['--endorsed', 'tool:get_order']])(
  'export does not take %s for a file that no gate is asked of',
  async (...flags) => {
    const input = await graded(rows(4));
    const { exit, said } = await call('export', input, '--format', 'trl', '--out', at('train.jsonl'), ...flags);
    expect([exit, said]).toEqual([2, expect.stringContaining('use publish')]);
    expect(await readdir(at(''))).not.toContain('train.jsonl');
  },
);

it('strict hacks without a feature that is endorsed refuses nothing, and says so', async () => {
  const input = await graded(rows(4));
  const { exit, said } = await call('publish', input, '--out', at('set'), '--strict-hacks');
  expect([exit, said]).toEqual([
    0,
    expect.stringContaining('Warning: --strict-hacks refuses nothing without --endorsed'),
  ]);
});

it('no decision holds the beginning of a system prompt', async () => {
  const lineage = { trace_id: 't', system_prompt_sha: 'abc', system_prompt_head: 'You are the secret agent' };
  const input = await graded(rows(4).map((row) => ({ ...row, lineage })));
  await call('select', input, '--mode', 'rl', '--out', at('selected.jsonl'));
  const text = await readFile(at('selected.decisions.jsonl'), 'utf8');
  expect([text.includes('"system_prompt_sha":"abc"'), text.includes('secret agent')]).toEqual([true, false]);
});
