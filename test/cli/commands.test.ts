import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inFolder } from './in-folder.ts';

const shop = join(process.cwd(), 'docs/examples/shop');
const { at, call } = inFolder();
const linesOf = async (name: string) => {
  const text = await readFile(at(name), 'utf8');
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};

/** Four trials of each of three tasks: one always solved, one never, one now and then. */
function chats(): string {
  const lines = [];
  for (const [task, rewards] of [
    ['easy', [1, 1, 1, 1]],
    ['hard', [0, 0, 0, 0]],
    ['mixed', [1, 0, 1, 0]],
  ] as const)
    for (const [trial, reward] of rewards.entries())
      lines.push({
        task_id: task,
        reward,
        messages: [
          { role: 'system', content: 'You look orders up.' },
          { role: 'user', content: `Where is my ${task} order ${trial}?` },
          {
            role: 'assistant',
            content: 'I will look.',
            tool_calls: [
              {
                id: `c${trial}`,
                type: 'function',
                function: { name: 'get_order', arguments: `{"id":"${task}${trial}"}` },
              },
            ],
          },
          { role: 'tool', tool_call_id: `c${trial}`, content: '{"status":"ok","place":"Rome"}' },
          {
            role: 'assistant',
            content: reward === 1 ? `Order ${trial} is in Rome.` : `I cannot tell where order ${trial} is.`,
          },
        ],
      });
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

describe('from files of another stack to a training file', () => {
  it('import, report, select and export lose no row and tell of each', async () => {
    await writeFile(at('chats.jsonl'), `${chats()}not json\n`);
    const imported = await call('import', at('chats.jsonl'), '--out', at('new/rows.jsonl'), '--json');
    expect(imported.exit).toBe(0);
    expect(JSON.parse(imported.out)).toMatchObject({
      n_rows: 12,
      n_tasks: 3,
      n_calls: 12,
      n_results: 12,
      n_graded: 12,
      rejected: [{ operator: 'files', reason: 'invalid_json', rows: 1 }],
    });
    expect(await linesOf('new/rows.rejected.jsonl')).toMatchObject([{ by: 'files', reason: 'invalid_json' }]);

    const report = await call('report', at('new/rows.jsonl'), '--by', 'task_id', '--json');
    const figures = JSON.parse(report.out);
    expect(figures).toMatchObject({ pass_at_1: 0.5, k: 4, n_groups: 3 });
    expect(figures.ci95[0]).toBeLessThan(0.5);
    expect(Object.keys(figures.by)).toEqual(['easy', 'hard', 'mixed']);

    const selected = await call(
      'select',
      at('new/rows.jsonl'),
      '--mode',
      'rl',
      '--out',
      at('selected.jsonl'),
      '--json',
    );
    expect(JSON.parse(selected.out)).toMatchObject({ n: 12, n_selected: 4, groups_selected: 1 });
    const [kept, rejected] = [await linesOf('selected.jsonl'), await linesOf('selected.rejected.jsonl')];
    expect(kept.map(({ scenario_id }) => scenario_id)).toEqual(['mixed', 'mixed', 'mixed', 'mixed']);
    expect(rejected.map(({ reason }) => reason).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'always_solved'),
      ...Array.from({ length: 4 }, () => 'never_solved'),
    ]);

    const exported = await call('export', at('selected.jsonl'), '--format', 'openai', '--out', at('train.jsonl'));
    expect([exported.exit, exported.out]).toEqual([0, '']);
    const samples = await linesOf('train.jsonl');
    expect(samples.length).toBe(4);
    // the system prompt went from the first file through two sidecars
    expect(samples[0].messages[0]).toEqual({ role: 'system', content: 'You look orders up.' });
  });

  it('export writes an environment from graded rows and the tools of their run', async () => {
    const own = ['--tools', 'docs/examples/shop/tools.json', '--agent', 'seeded'];
    const shape = ['--mode', 'rl', '--repeats', '2', '--repeat-policy', 'fixed', '--budget', '16'];
    await call('simulate', ...own, ...shape, '--out', at('run.jsonl'));
    await call('grade', at('run.jsonl'), '--out', at('graded.jsonl'));
    const wanted = ['--format', 'environment', '--out', at('my-agent'), '--lo', '0', '--hi', '1', '--json'];
    const exported = await call('export', at('graded.jsonl'), ...wanted);
    expect(exported.exit).toBe(0);
    expect(JSON.parse(exported.out)).toMatchObject({ name: 'my_agent', reward: 'task_checklist', band: [0, 1] });
    const refused = await call('export', at('graded.jsonl'), ...wanted, '--reward', 'judge me');
    expect(refused.exit).toBe(2);
  });

  it('grade without a judge uses the checklist, and says what that is worth', async () => {
    await writeFile(at('chats.jsonl'), chats());
    await call('import', at('chats.jsonl'), '--out', at('rows.jsonl'));
    const graded = await call('grade', at('rows.jsonl'), '--out', at('graded.jsonl'), '--json');
    expect(graded.exit).toBe(0);
    expect(JSON.parse(graded.out)).toMatchObject({
      judge: 'task_checklist',
      n_checklist: 12,
      n_outcome_checked: 0,
      note_codes: ['checklist_used', 'conduct_only'],
    });
    const rows = await linesOf('graded.jsonl');
    expect(rows.every(({ judge_name, markers }) => judge_name === 'task_checklist' && markers.conduct >= 0)).toBe(true);
  });

  it('grade puts a verdict on every row, and says how many have none and why', async () => {
    await writeFile(at('chats.jsonl'), chats());
    await call('import', at('chats.jsonl'), '--out', at('rows.jsonl'));
    await writeFile(
      at('judge.mjs'),
      `export default ({ final_text, scenario_id }) => {
         if (scenario_id === 'hard') throw new Error('the judge is tired');
         return final_text.includes('Rome');
       };`,
    );
    const graded = await call(
      'grade',
      at('rows.jsonl'),
      '--judge',
      at('judge.mjs'),
      '--out',
      at('graded.jsonl'),
      '--json',
    );
    expect(graded.exit).toBe(0);
    const said = JSON.parse(graded.out);
    expect(said.statuses).toEqual({ ok: { rows: 8 }, error: { rows: 4, error: 'Error: the judge is tired' } });
    expect(said.pass_at).toMatchObject({ n_rows: 8, n_rows_total: 12 });
    const rows = await linesOf('graded.jsonl');
    expect(rows.filter(({ scenario_id }) => scenario_id === 'hard').every(({ reward }) => reward === undefined)).toBe(
      true,
    );
  });

  it('a grading that was stopped goes on where it was, asks nobody twice and reports the whole file', async () => {
    await writeFile(at('chats.jsonl'), chats());
    await call('import', at('chats.jsonl'), '--out', at('rows.jsonl'));
    await writeFile(
      at('judge.mjs'),
      "import { appendFileSync } from 'node:fs'; export default ({ rollout_id, final_text }) => { appendFileSync(process.env.ASKED, `${rollout_id}\\n`); return final_text.includes('Rome'); };",
    );
    process.env['ASKED'] = at('asked.txt');
    const grade = (...more: string[]) =>
      call('grade', at('rows.jsonl'), '--judge', at('judge.mjs'), '--out', at('graded.jsonl'), '--json', ...more);
    const whole = await grade();
    const lines = (await readFile(at('graded.jsonl'), 'utf8')).split('\n');
    await writeFile(at('graded.jsonl'), `${lines.slice(0, 5).join('\n')}\n${lines[5]?.slice(0, 40)}`); // killed in its sixth line
    await writeFile(at('asked.txt'), '');
    const resumed = await grade('--resume');
    expect(JSON.parse(resumed.out)).toEqual(JSON.parse(whole.out));
    const rows = await linesOf('graded.jsonl');
    expect(new Set(rows.map(({ rollout_id }) => rollout_id)).size).toBe(12);
    expect(rows.length).toBe(12);
    expect((await readFile(at('asked.txt'), 'utf8')).trim().split('\n').length).toBe(7);
  });

  it('rewards written as true, false and text count, what cannot be read is told and never a zero', async () => {
    const line = (reward: unknown, n: number) =>
      JSON.stringify({
        task_id: 't',
        reward,
        messages: [
          { role: 'user', content: `q${n}` },
          { role: 'assistant', content: `a${n}.` },
        ],
      });
    await writeFile(at('odd.jsonl'), `${[true, false, '1', 5].map(line).join('\n')}\n`);
    await call('import', at('odd.jsonl'), '--out', at('rows.jsonl'));
    const rows = await linesOf('rows.jsonl');
    expect(rows.map(({ reward, judge_status }) => [reward, judge_status])).toEqual([
      [1, undefined],
      [0, undefined],
      [1, undefined],
      [undefined, 'invalid_result'],
    ]);
  });

  it('one call that cannot be read costs its row, not the training file', async () => {
    const broken = chats().replace('{\\"id\\":\\"mixed0\\"}', '{\\"id\\":');
    await writeFile(at('chats.jsonl'), broken);
    await call('import', at('chats.jsonl'), '--out', at('rows.jsonl'));
    const exported = await call('export', at('rows.jsonl'), '--format', 'trl', '--out', at('train.jsonl'), '--json');
    expect(exported.exit).toBe(0);
    expect(JSON.parse(exported.out)).toMatchObject({
      n_written: 11,
      rejected: [{ operator: 'drop-unreadable-calls', reason: 'unreadable_call', rows: 1 }],
    });
  });

  it('sft keeps passes only', async () => {
    await writeFile(at('chats.jsonl'), chats());
    await call('import', at('chats.jsonl'), '--out', at('rows.jsonl'));
    await call('select', at('rows.jsonl'), '--mode', 'sft', '--out', at('sft.jsonl'));
    const rows = await linesOf('sft.jsonl');
    expect(rows.length).toBe(6);
    expect(rows.every(({ reward }) => reward === 1)).toBe(true);
  });
});

describe('simulate', () => {
  const own = ['--agent', 'seeded', '--tools', join(shop, 'tools.json'), '--policy', join(shop, 'policy.md')];
  const shape = ['--mode', 'rl', '--repeats', '4', '--repeat-policy', 'fixed', '--budget', '32'];

  it('writes whole groups, keeps answer keys apart, and resumes without a row twice', async () => {
    const run = () =>
      call('simulate', ...own, ...shape, '--judge', join(shop, 'judge.mjs'), '--out', at('run.jsonl'), '--resume');
    expect((await run()).exit).toBe(0);
    const rows = await linesOf('run.jsonl');
    expect(rows.length).toBe(32);
    expect(rows.some((row) => 'privileged' in row)).toBe(false);
    expect((await stat(at('run.jsonl.privileged.jsonl'))).mode & 0o777).toBe(0o600);
    expect((await run()).exit).toBe(0);
    expect(await linesOf('run.jsonl')).toEqual(rows);
  });

  it('tells neither keys nor secrets in the file of rejections, which only its owner can read', async () => {
    await call('simulate', ...own, ...shape, '--judge', join(shop, 'judge.mjs'), '--out', at('run.jsonl'));
    await call('select', at('run.jsonl'), '--mode', 'rl', '--out', at('sel.jsonl'));
    const text = await readFile(at('sel.rejected.jsonl'), 'utf8');
    expect(text.length).toBeGreaterThan(0);
    expect(text).not.toContain('"privileged"');
    expect((await stat(at('sel.rejected.jsonl'))).mode & 0o777).toBe(0o600);
    await writeFile(
      at('bad.jsonl'),
      `{"prompt":"a","steps":[],"final_text":"b"}\n{"key":"sk-proj-${'a1B2'.repeat(10)}"\n`,
    );
    await call('import', at('bad.jsonl'), '--out', at('rows.jsonl'));
    expect(await readFile(at('rows.rejected.jsonl'), 'utf8')).not.toContain('a1B2a1B2');
  });

  it('gives the same bytes, sorted, at any concurrency, whenever the agent answers', async () => {
    await writeFile(
      at('late.mjs'),
      `export default async (message, { call, rolloutIndex }) => {
         await new Promise((done) => setTimeout(done, 12 * Math.random()));
         const { status } = await call('get_order', { order_id: 'A' + message.length + rolloutIndex });
         return 'The order is ' + status + '.';
       };`,
    );
    const late = ['--agent', at('late.mjs'), ...own.slice(2), ...shape];
    for (const concurrency of ['1', '8', '32'])
      await call('simulate', ...late, '--concurrency', concurrency, '--out', at(`c${concurrency}.jsonl`));
    const sorted = async (name: string) => (await readFile(at(name), 'utf8')).split('\n').toSorted();
    const one = await sorted('c1.jsonl');
    expect(one.length).toBe(33);
    const told = JSON.parse(await readFile(at('c8.jsonl.progress.json'), 'utf8'));
    expect(told).toMatchObject({ stage: 'stopped', rows: 32, cap: 32, inflight: 0, writers: { model: 'template' } });
    expect(await sorted('c8.jsonl')).toEqual(one);
    expect(await sorted('c32.jsonl')).toEqual(one);
  });

  it('going on under another seed is refused: the file would hold two runs', async () => {
    await call('simulate', ...own, ...shape, '--out', at('run.jsonl'));
    const { exit, said } = await call(
      'simulate',
      ...own,
      ...shape,
      '--seed',
      '7',
      '--out',
      at('run.jsonl'),
      '--resume',
    );
    expect(exit).toBe(2);
    expect(said).toContain('--seed (was 0)');
    expect((await linesOf('run.jsonl')).length).toBe(32);
  });

  it('plays the tasks of an earlier run again', async () => {
    await call('simulate', ...own, ...shape, '--out', at('first.jsonl'));
    await call('simulate', ...own, '--tasks', at('first.jsonl'), '--out', at('again.jsonl'));
    const prompts = async (name: string) => new Set((await linesOf(name)).map(({ prompt }) => prompt));
    expect(await prompts('again.jsonl')).toEqual(await prompts('first.jsonl'));
  });

  it('no agent at all is a wrong call that names the choices', async () => {
    const { exit, said } = await call('simulate', '--tools', join(shop, 'tools.json'));
    expect(exit).toBe(2);
    expect(said).toContain('./agent.mjs');
    expect(said).toContain('seeded');
  });

  it('an agent that always fails ends with 3 and the first error', async () => {
    await writeFile(at('agent.mjs'), "export default () => { throw new Error('no key for the model'); };");
    const { exit, said } = await call(
      'simulate',
      '--agent',
      at('agent.mjs'),
      '--tools',
      join(shop, 'tools.json'),
      '--budget',
      '3',
      '--out',
      at('x.jsonl'),
    );
    expect(exit).toBe(3);
    expect(said).toContain('no key for the model');
  });
});

describe('start', () => {
  it('runs the whole path offline and says what one wants next', async () => {
    const { exit, said } = await call('start', '--budget', '64', '--out', at('out'));
    expect(exit).toBe(0);
    for (const words of [
      'pass@1',
      'Not kept, by operator and reason',
      'A row that was kept',
      'A row that was not',
      'train.trl.jsonl',
      '--traces',
    ])
      expect(said).toContain(words);
    expect((await linesOf('out/train.trl.jsonl')).length).toBeGreaterThan(0);
  });

  it('takes traces with rewards, and says what is missing where there are none', async () => {
    await writeFile(at('chats.jsonl'), chats());
    const graded = await call('start', '--traces', at('chats.jsonl'), '--out', at('graded'));
    expect(graded.exit).toBe(0);
    expect((await linesOf('graded/train.openai.jsonl')).length).toBe(4);
    await writeFile(at('bare.jsonl'), chats().replaceAll(/"reward":\d,/g, ''));
    const bare = await call('start', '--traces', at('bare.jsonl'), '--out', at('bare'));
    expect(bare.exit).toBe(0);
    expect(bare.said).toContain('None has a reward');
  });
});

describe('bad input', () => {
  it.each([
    ['a missing file', ['report', 'no-such.jsonl'], 3, /no-such\.jsonl/],
    ['a folder', ['report', '.'], 3, /folder/],
    ['a missing judge', ['grade', 'no-such.jsonl', '--judge', './no-judge.mjs'], 2, /no-judge\.mjs/],
    ['an unknown judge', ['grade', 'no-such.jsonl', '--judge', 'oracle'], 2, /exact_match/],
    ['an unknown option', ['select', 'x', '--mod', 'rl'], 2, /--mod/],
    ['an unknown mode', ['select', 'x', '--mode', 'dpo'], 2, /rl/],
    ['a band that is upside down', ['select', 'x', '--mode', 'rl', '--lo', '0.9', '--hi', '0.1'], 2, /lo/],
    ['a tool list that is none', ['simulate', '--agent', 'seeded', '--tools', 'tsconfig.json'], 2, /tools/],
  ])('%s is said in words', async (_name, argv, code, words) => {
    const { exit, said, out } = await call(...argv);
    expect([exit, out]).toEqual([code, '']);
    expect(said).toMatch(words);
    expect(said).not.toMatch(/\n\s+at /);
  });

  it('an empty file is no row and no crash, garbage and NaN are counted', async () => {
    await writeFile(at('empty.jsonl'), '');
    expect((await call('report', at('empty.jsonl'))).exit).toBe(0);
    const lines = [
      '{"scenario_id":"a","rollout_id":"1","reward":1}',
      '{"scenario_id":"a"',
      '\u0000\u0001',
      '{"scenario_id":"b","rollout_id":"2","reward":NaN}',
    ];
    await writeFile(at('odd.jsonl'), `${lines.join('\n')}\n`);
    const { exit, out } = await call('report', at('odd.jsonl'), '--json');
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      n_rows: 1,
      n_rows_total: 2,
      rejected: [{ reason: 'invalid_json', rows: 2 }],
    });
  });

  it('nothing but garbage is no success, and a row counts once however often it is delivered', async () => {
    await writeFile(at('bin.jsonl'), Buffer.from([0, 1, 255, 10, 254, 253, 10]));
    expect((await call('report', at('bin.jsonl'))).exit).toBe(3);
    const line = '{"scenario_id":"a","rollout_id":"1","reward":1,"final_text":"x","prompt":"p","steps":[]}\n';
    await writeFile(at('twice.jsonl'), line + line);
    await writeFile(at('judge.mjs'), 'export default () => 1;');
    const graded = await call('grade', at('twice.jsonl'), '--judge', at('judge.mjs'), '--out', at('g.jsonl'), '--json');
    expect(JSON.parse(graded.out)).toMatchObject({
      statuses: { ok: { rows: 1 } },
      rejected: [{ reason: 'redelivered', rows: 1 }],
    });
    const same = await call('grade', at('g.jsonl'), '--judge', at('judge.mjs'), '--out', at('g.jsonl'), '--resume');
    expect([same.exit, (await linesOf('g.jsonl')).length]).toEqual([2, 1]);
  });

  it('digits of big integers survive import and select', async () => {
    const line =
      '{"prompt":"p","steps":[{"tool":"t","arguments":{"id":9007199254740993123},"result":1}],"final_text":"Done it.","reward":1}';
    await writeFile(at('big.jsonl'), `${line}\n`);
    await call('import', at('big.jsonl'), '--out', at('rows.jsonl'));
    await call('select', at('rows.jsonl'), '--mode', 'sft', '--out', at('sft.jsonl'));
    expect(await readFile(at('sft.jsonl'), 'utf8')).toContain('9007199254740993123');
  });

  it('a folder that cannot be written is said', async () => {
    await writeFile(at('file'), '');
    await mkdir(at('d'));
    const { exit, said } = await call(
      'simulate',
      '--agent',
      'seeded',
      '--tools',
      join(shop, 'tools.json'),
      '--budget',
      '1',
      '--out',
      at('file/run.jsonl'),
    );
    expect(exit).toBe(3);
    expect(said).toMatch(/TM_SINK/);
  });
});

describe('traces', () => {
  it('tells on one screen what the traces would aim at', async () => {
    await writeFile(at('chats.jsonl'), chats());
    const { exit, out } = await call('traces', at('chats.jsonl'));
    expect(exit).toBe(0);
    expect(out).toMatch(/^12 traces, 12 different asks/);
    expect(out).toMatch(/Pass rate 0\.500 \[/);
    expect(out).toMatch(/get_order\s+12\s+0/);
    expect(out).toMatch(/Failing behaviours .*: none|failing: task:get_order/s);
    expect(out.split('\n').length).toBeLessThan(40);
  });

  it('gives all figures as JSON, and finds copies of its asks in other rows', async () => {
    await writeFile(at('chats.jsonl'), chats());
    const copy = { rollout_id: 'x', prompt: 'where is my  EASY order 0?', steps: [], final_text: 'Here.' };
    await writeFile(at('rows.jsonl'), `${JSON.stringify({ schema_version: '1', ...copy })}\n`);
    const { exit, out } = await call('traces', at('chats.jsonl'), '--against', at('rows.jsonl'), '--json');
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      traces: 12,
      graded: 12,
      passes: 6,
      tools_observed: { get_order: { n: 12, fault_n: 0 } },
      pass_at: { pass_at_1: 0.5 },
      behaviors: { since: null },
      leakage: { n: 1, n_leaky: 1, max_similarity: 1 },
    });
  });

  it('refuses a version that the traces do not have', async () => {
    await writeFile(at('chats.jsonl'), chats());
    const { exit, said } = await call('traces', at('chats.jsonl'), '--since', 'nope');
    expect([exit, said]).toEqual([2, expect.stringMatching(/nope/)]);
  });
});
