import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { testIo } from './test-io.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tracemill-first-'));
});
const at = (name: string) => join(folder, name);
const text = (name: string) => readFile(at(name), 'utf8');
async function call(argv: readonly string[], typed: readonly string[] = []) {
  const { io, out, said } = testIo(undefined, typed);
  return { exit: await cli(commands, '0', [...argv], io), out: out(), said: said() };
}
const write = (name: string, rows: readonly object[]) =>
  writeFile(at(name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const linesOf = async (name: string) =>
  (await text(name))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const judgeThat = (body: string) => writeFile(at('judge.mjs'), `export default (row) => ${body};`);

it.each([
  ['grade', (out: string) => ['grade', at('rows.jsonl'), '--judge', 'exact_match', '--out', out]],
  ['select', (out: string) => ['select', at('rows.jsonl'), '--mode', 'rl', '--out', out]],
  ['label', (out: string) => ['label', at('rows.jsonl'), '--out', out]],
  ['export', (out: string) => ['export', at('rows.jsonl'), '--format', 'trl', '--out', out]],
  ['import', (out: string) => ['import', at('rows.jsonl'), '--out', out]],
  ['report --html', (out: string) => ['report', at('rows.jsonl'), '--html', out]],
])('%s: an --out in a folder that cannot be made ends with an error and does not spin for ever', async (_, argv) => {
  await write('rows.jsonl', [{ prompt: 'a', final_text: 'b', reward: 1 }]);
  const { exit, said } = await call(argv('/proc/tracemill/rows.jsonl'));
  expect([exit, said]).toEqual([3, expect.stringContaining('cannot be made')]);
});

it('label, then trust: rows without ids of which two are the same', async () => {
  const rows = ['a', 'a', 'b', 'c'].map((final_text) => ({ prompt: 'ask', final_text, reward: 1, judge_status: 'ok' }));
  const steps = (result: string) => [{ tool: 'look', arguments: {}, result }];
  await write('rows.jsonl', [
    ...rows,
    { prompt: 'ask', final_text: 'd', steps: steps('1'), reward: 1, judge_status: 'ok' },
    { prompt: 'ask', final_text: 'd', steps: steps('2'), reward: 0, judge_status: 'ok' },
  ]);
  const labelled = await call(['label', at('rows.jsonl'), '--json'], ['p', 'p', 'p', 'p', 'p', 'p', 'p']);
  expect(JSON.parse(labelled.out)).toMatchObject({ pass: 5, left: 0 }); // the two that are the same are asked once
  expect(JSON.parse((await call(['label', at('rows.jsonl'), '--json'], ['p'])).out)).toMatchObject({
    rows: 0,
    labelled_before: 5,
  });
  const { exit, out, said } = await call(['trust', at('rows.jsonl'), '--labels', at('rows.labels.jsonl'), '--json']);
  expect([exit, said]).toEqual([0, expect.anything()]);
  expect(JSON.parse(out)).toMatchObject({ n_labeled: 6, labels: { labels: 5, matched: 5, rows_labeled: 6 } });
});

it.each(['args', 'input', 'parameters'])(
  'a step whose arguments are called %s is judged and shown with them',
  async (name) => {
    const step = { tool: 'refund', [name]: { amount: 42 }, output: 'done' };
    await write('rows.jsonl', [{ prompt: 'ask', steps: [step], final_text: 'said' }]);
    const { said } = await call(['label', at('rows.jsonl'), '--n', '1'], ['q']);
    expect(said).toContain('"arguments":{"amount":42}');
    expect(said).toContain('[tool] done');
  },
);

it('openai:<model>@<url> asks the host of the URL', async () => {
  let asked = '';
  const host = createServer((request, response) => {
    request.resume().on('end', () => {
      asked = request.url ?? '';
      const choice = {
        message: { role: 'assistant', content: '{"reason": "so", "reward": 1}' },
        finish_reason: 'stop',
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ model: 'm', choices: [choice] }));
    });
  });
  await new Promise<void>((done) => void host.listen(0, '127.0.0.1', done));
  try {
    const { port } = host.address() as AddressInfo;
    await write('rows.jsonl', [{ prompt: 'ask', final_text: 'said' }]);
    const judge = `openai:m@http://127.0.0.1:${port}/v1`;
    const { exit } = await call(['grade', at('rows.jsonl'), '--judge', judge, '--out', at('g.jsonl')]);
    expect([exit, asked]).toEqual([0, '/v1/chat/completions']);
    const { exit: refused, said } = await call(['grade', at('rows.jsonl'), '--judge', 'openai:m@127.0.0.1:80']);
    expect([refused, said]).toEqual([2, expect.stringContaining('openai:m@http://127.0.0.1:80'.slice(7))]);
  } finally {
    host.close();
  }
});

it('grade: when not one row got a verdict it says why, exits with 3 and leaves an earlier file alone', async () => {
  await write('rows.jsonl', [{ prompt: 'a', final_text: 'b' }]);
  await judgeThat('1');
  const argv = ['grade', at('rows.jsonl'), '--judge', at('judge.mjs'), '--out', at('g.jsonl')];
  expect((await call(argv)).exit).toBe(0);
  const before = await text('g.jsonl');
  await writeFile(at('down.mjs'), `export default () => { throw new Error('the host is down'); };`);
  const down = await call(argv.with(3, at('down.mjs')));
  expect(down.exit).toBe(3);
  expect(down.said).toMatch(/Not one row got a verdict\. First error: Error: the host is down/);
  expect(down.said).toContain('g.jsonl is left as it was before');
  expect(await text('g.jsonl')).toBe(before);
  await expect(text('g.jsonl.partial')).rejects.toThrow();
  const first = await call(argv.with(3, at('down.mjs')).with(5, at('new.jsonl')));
  expect(first.exit).toBe(3);
  expect(await linesOf('new.jsonl')).toMatchObject([{ judge_status: 'error' }]);
  await writeFile(at('rows.jsonl'), 'no row\n');
  expect([(await call(argv)).exit, await text('g.jsonl')]).toEqual([3, before]);
});

it('eval: when not one rollout got a verdict it says why, exits with 3 and leaves an earlier file alone', async () => {
  await writeFile(at('agent.mjs'), `export default () => 'said';`);
  await writeFile(at('down.mjs'), `export default () => { throw new Error('the host is down'); };`);
  await writeFile(at('asks.txt'), 'a\nb\n');
  await writeFile(at('old.jsonl'), 'an earlier run\n');
  const argv = [
    'eval',
    at('asks.txt'),
    '--agent',
    at('agent.mjs'),
    '--judge',
    at('down.mjs'),
    '--out',
    at('old.jsonl'),
  ];
  const { exit, said } = await call(argv);
  expect([exit, await text('old.jsonl')]).toEqual([3, 'an earlier run\n']);
  expect(said).toContain('First error: Error: the host is down');
  expect(await linesOf('old.jsonl.partial')).toHaveLength(8);
});

it('grade: gold without gold_kind measures nothing, and the message says what to set', async () => {
  await write(
    'rows.jsonl',
    ['a', 'b'].map((prompt) => ({ prompt, final_text: 'x', gold_reward: 1 })),
  );
  await judgeThat('1');
  const { said } = await call(['grade', at('rows.jsonl'), '--judge', at('judge.mjs'), '--out', at('g.jsonl')]);
  expect(said).toMatch(/Trust: 2 rows have gold_reward, but none a gold_kind of human or program/);
  expect((await call(['trust', at('g.jsonl')])).said).toMatch(/set gold_kind to human/);
});

it('compare, report, eval and trust find --by in the cell of a row, and in its markers', async () => {
  const rows = Array.from({ length: 12 }, (_, n) => ({
    rollout_id: `r${n}`,
    task_id: `t${n}`,
    final_text: 'x',
    reward: 1,
    gold_reward: 1,
    gold_kind: 'human',
    scenario_dimensions: { tool: n % 2 === 0 ? 'read' : 'write' },
    markers: { loud: n % 3 === 0 ? 1 : 0 },
  }));
  await write('a.jsonl', rows);
  for (const argv of [
    ['compare', at('a.jsonl'), at('a.jsonl')],
    ['report', at('a.jsonl')],
    ['trust', at('a.jsonl')],
  ]) {
    const groups = async (by: string) => {
      const report = JSON.parse((await call([...argv, '--by', by, '--json'])).out);
      return Object.keys(argv[0] === 'compare' ? report.groups : report.by);
    };
    expect(await groups('tool'), argv[0]).toEqual(['read', 'write']);
    expect(await groups('loud'), argv[0]).toEqual(['0', '1']);
  }
});

it('compare: an inconclusive headline beside a better target says why', async () => {
  const run = (passes: number) =>
    Array.from({ length: 40 }, (_, n) => ({
      rollout_id: `r${n}`,
      task_id: `t${Math.floor(n / 4)}`,
      reward: n % 4 < passes ? 1 : 0,
      judge_status: 'ok',
    }));
  await write('a.jsonl', run(1));
  await write('b.jsonl', run(3));
  const argv = ['compare', at('a.jsonl'), at('b.jsonl'), '--target', 'pass_at_1', '--html', at('c.html')];
  const { out } = await call(argv);
  expect(out).toMatch(/pass_at_1 .*better/);
  expect(out).toMatch(/INCONCLUSIVE: pass_at_1 rose by 0\.5, but each side was evaluated once.*three times/);
  expect(await text('c.html')).toContain('INCONCLUSIVE: pass_at_1 rose by 0.5');
  const same = await call(['compare', at('a.jsonl'), at('a.jsonl')]);
  expect(same.out).toContain('NO DIFFERENCE: the interval of the change of pass_at_1 covers zero over 10 tasks');
  const guard = await call([...argv.slice(0, 3), '--must-not-regress', 'polite']);
  expect(guard.out).toContain('FAIL: the guard marker:polite is not measured on both sides');
});

it('grade: the first error of a reward model that answers several labels says which to name', async () => {
  const host = createServer((request, response) => {
    const answer = [
      [
        { label: 'NEGATIVE', score: 0.9 },
        { label: 'POSITIVE', score: 0.1 },
      ],
    ];
    request.resume().on('end', () => response.end(JSON.stringify(answer)));
  });
  await new Promise<void>((done) => void host.listen(0, '127.0.0.1', done));
  try {
    const { port } = host.address() as AddressInfo;
    await write('rows.jsonl', [{ prompt: 'ask', final_text: 'said' }]);
    const judge = `reward_model:http://127.0.0.1:${port}/predict`;
    const { exit, said } = await call(['grade', at('rows.jsonl'), '--judge', judge, '--out', at('g.jsonl')]);
    expect(exit).toBe(3);
    expect(said).toMatch(/missing_reward +1 +the model answers several labels \(NEGATIVE, POSITIVE\): say which/);
  } finally {
    host.close();
  }
});

it.each([
  ['invalid_result', `'yes'`, /invalid_result +1 +the answer is of the type string/],
  ['invalid_result', '7', /invalid_result +1 +the reward 7 is not from 0 to 1/],
  ['missing_reward', '({ verdict: 1 })', /missing_reward +1 +the answer has neither reward nor score, but verdict/],
  ['timeout', 'new Promise(() => {})', /timeout +1 +no verdict within 0.02 s/],
])('grade: %s has a first error', async (_, answer, words) => {
  await write('rows.jsonl', [{ prompt: 'ask', final_text: 'said' }]);
  await judgeThat(answer);
  const argv = ['grade', at('rows.jsonl'), '--judge', at('judge.mjs'), '--out', at('g.jsonl'), '--timeout-ms', '20'];
  expect((await call(argv)).said).toMatch(words);
});

it('eval: lines that are no asks stand in the table of what was rejected', async () => {
  await writeFile(at('agent.mjs'), `export default () => 'said';`);
  await judgeThat('1');
  await writeFile(at('asks.jsonl'), '{"prompt":"good"}\n{"prompt":\n{"prompt": 7}\n');
  const { said } = await call(['eval', at('asks.jsonl'), '--agent', at('agent.mjs'), '--judge', at('judge.mjs')]);
  expect(said).not.toContain('No row was rejected');
  expect(said).toMatch(/invalid_json +1 .*asks\.jsonl:2/);
  expect(said).toMatch(/invalid_row +1 .*asks\.jsonl:3: .*expected string.*prompt/);
});

it.each([
  [
    'grade',
    () => ['grade', at('rows.jsonl'), '--judge', at('judge.mjs'), '--out', at('out.jsonl')],
    'out.rejected.jsonl',
  ],
  ['select', () => ['select', at('rows.jsonl'), '--mode', 'rl', '--out', at('out.jsonl')], 'out.rejected.jsonl'],
  ['report', () => ['report', at('rows.jsonl')], ''],
  ['compare', () => ['compare', at('rows.jsonl'), at('rows.jsonl')], ''],
  ['trust', () => ['trust', at('rows.jsonl')], ''],
  ['label', () => ['label', at('rows.jsonl')], ''],
])(
  '%s: a row with an old reward as text is refused with its line, its field and where it is',
  async (_, argv, file) => {
    await write('rows.jsonl', [
      { prompt: 'a', final_text: 'b', reward: 1 },
      { prompt: 'a', final_text: 'c', reward: '0.5' },
    ]);
    await judgeThat('1');
    const { out, said } = await call(argv());
    expect(out + said).toMatch(/invalid_row +1 .*rows\.jsonl:2: .*expected number, received string.*reward/);
    if (file) expect(said).toContain(`Rejected rows: ${at(file)}`);
  },
);

it('report: a reward of 2 is no partial reward', async () => {
  await write(
    'rows.jsonl',
    [2, 0.5, 1].map((reward, n) => ({ task_id: `t${n}`, reward })),
  );
  const { out } = await call(['report', at('rows.jsonl'), '--json']);
  expect(JSON.parse(out)).toMatchObject({ n_partial: 1, unused: { partial: 1, out_of_range: 1 } });
  expect((await call(['report', at('rows.jsonl')])).out).toContain('1 a reward outside 0 to 1');
});

it('report, grade and compare: rows that name no task are said to count as one', async () => {
  await write(
    'rows.jsonl',
    [1, 0, 1].map((reward) => ({ final_text: 'x', reward })),
  );
  await judgeThat('1');
  const said = /3 rows name no task .* count as rollouts of one/;
  expect((await call(['report', at('rows.jsonl')])).out).toMatch(said);
  const argv = ['grade', at('rows.jsonl'), '--judge', at('judge.mjs'), '--out', at('g.jsonl')];
  expect((await call(argv)).said).toMatch(said);
  expect((await call(['compare', at('rows.jsonl'), at('rows.jsonl')])).out).toMatch(/6 rows name no task/);
});

it('eval: a file without an ask is a wrong call, and a gate says no', async () => {
  await writeFile(at('agent.mjs'), `export default () => 'said';`);
  await writeFile(at('asks.txt'), '\n');
  const argv = ['eval', at('asks.txt'), '--agent', at('agent.mjs')];
  const plain = await call(argv);
  expect([plain.exit, plain.said]).toEqual([2, expect.stringContaining('asks.txt has no ask')]);
  expect((await call([...argv, '--gate', '0'])).exit).toBe(1);
});

it('grade: an empty file is told', async () => {
  await writeFile(at('rows.jsonl'), '');
  await judgeThat('1');
  const argv = ['grade', at('rows.jsonl'), '--judge', at('judge.mjs'), '--out', at('g.jsonl')];
  const { exit, said } = await call(argv);
  expect([exit, said]).toEqual([0, expect.stringMatching(/Warning: no row was read: .*rows\.jsonl is empty/)]);
});

const down = () => writeFile(at('down.mjs'), `export default () => { throw new Error('the host is down'); };`);

it('simulate, start and run: a judge without a single verdict ends with 3 and its first error', async () => {
  await down();
  const shop = 'docs/examples/shop';
  const agent = ['--agent', 'seeded', '--tools', `${shop}/tools.json`, '--judge', at('down.mjs')];
  const made = await call(['simulate', ...agent, '--budget', '16', '--out', at('run.jsonl')]);
  expect([made.exit, made.said]).toEqual([3, expect.stringContaining('rows got a verdict. First error: Error: the')]);
  expect(made.said).toMatch(/Warning: no verdict in the first 8 rows. First error: Error: the host is down/);
  expect((await linesOf('run.jsonl')).length).toBeGreaterThan(8); // what was played is kept
  const begun = await call(['start', '--judge', at('down.mjs'), '--budget', '16', '--out', at('start')]);
  expect([begun.exit, begun.said]).toEqual([3, expect.stringContaining('First error: Error: the host is down')]);
  const config = { pipeline: 'evaluate', judge: at('down.mjs'), in: 'run.jsonl', out: 'graded.jsonl' };
  await writeFile(at('t.yaml'), JSON.stringify(config));
  const ran = await call(['run', '--config', at('t.yaml')]);
  expect([ran.exit, ran.said]).toEqual([3, expect.stringMatching(/Not one row got a verdict \(\d+ error\)/)]);
});

it('grade: a first error tells no code of ours and no empty text', async () => {
  await write('rows.jsonl', [{ prompt: 'ask', final_text: 'said' }]);
  await judgeThat(`({ reward: null, judge_status: 'invalid_result', unreadable: 'no JSON object', raw: ' ' })`);
  const argv = ['grade', at('rows.jsonl'), '--judge', at('judge.mjs'), '--out', at('g.jsonl')];
  expect((await call(argv)).said).toMatch(/invalid_result +1 +no JSON object: the answer is empty/);
});

it('names out of rows move no cursor and turn no text, on any screen', async () => {
  const evil = 'a\u001b[2J\u202e\u0000\nb';
  await write(
    'rows.jsonl',
    Array.from({ length: 12 }, (_, n) => ({
      rollout_id: `r${n}`,
      task_id: `t${n}${evil}`,
      reward: n % 2,
      judge_status: 'ok',
      judge_name: evil,
      gold_reward: 1,
      gold_kind: 'human',
      scenario_dimensions: { tool: evil },
      markers: { [evil]: n % 2 },
    })),
  );
  await writeFile(at('judge.mjs'), `export default () => { throw new Error(${JSON.stringify(evil)}); };`);
  const rows = at('rows.jsonl');
  for (const argv of [
    ['report', rows, '--by', 'tool'],
    ['trust', rows, '--by', 'tool'],
    ['compare', rows, rows, '--by', 'tool', '--must-not-regress', evil],
    ['grade', rows, '--judge', at('judge.mjs'), '--out', at('g.jsonl')],
  ]) {
    const { out, said } = await call(argv);
    for (const mark of ['\u001b', '\u202e', '\u0000']) expect(out + said, argv[0]).not.toContain(mark);
  }
});

it('trust and label: a file of labels that is not there or is damaged is told with its line', async () => {
  await write('rows.jsonl', [{ rollout_id: 'r', prompt: 'a', final_text: 'b', reward: 1 }]);
  const none = await call(['trust', at('rows.jsonl'), '--labels', at('none.jsonl')]);
  expect([none.exit, none.said]).toEqual([3, expect.stringMatching(/none\.jsonl: there is no such file/)]);
  await writeFile(at('l.jsonl'), '{"key":"r","label":1}\nnonsense\n');
  for (const argv of [
    ['trust', at('rows.jsonl'), '--labels', at('l.jsonl')],
    ['label', at('rows.jsonl'), '--out', at('l.jsonl')],
  ]) {
    const { exit, said } = await call(argv);
    expect([exit, said]).toEqual([3, expect.stringContaining('l.jsonl:2: the label is no JSON')]);
  }
});

it('an import of which nothing could be read ended with 0 and the advice to go on', async () => {
  await writeFile(at('notes.json'), '{"nothing":"of the kind"}');
  const argv = ['import', at('notes.json'), '--format', 'otlp', '--out', at('rows.jsonl')];
  const { exit, said } = await call(argv);
  expect([exit, said]).toEqual([3, expect.stringContaining('Nothing was read: all of it was rejected.')]);
  expect(said).not.toContain('Next:');
});

it.each([
  ['select', (file: string) => ['select', file, '--mode', 'rl', '--out', file]],
  ['export', (file: string) => ['export', file, '--format', 'trl', '--out', file]],
])('%s over its own input took the place of it without a word', async (_, argv) => {
  await write('rows.jsonl', [{ prompt: 'a', final_text: 'b', reward: 1 }]);
  const before = await text('rows.jsonl');
  const { exit, said } = await call(argv(at('rows.jsonl')));
  expect([exit, said]).toEqual([2, expect.stringContaining('is read and written; name another --out')]);
  expect(await text('rows.jsonl')).toBe(before);
});

it('an export of no row left the file of an earlier run in its place, and ended with 0', async () => {
  await write('rows.jsonl', [{ prompt: 'a', final_text: 'b', reward: 1 }]);
  const argv = (from: string) => ['export', at(from), '--format', 'trl', '--out', at('train.jsonl')];
  expect(await call(argv('rows.jsonl'))).toMatchObject({ exit: 0 });
  await writeFile(at('none.jsonl'), '');
  const { exit, said } = await call(argv('none.jsonl'));
  expect([exit, said]).toEqual([3, expect.stringContaining('is of an earlier run: nothing of this one is in it')]);
});
