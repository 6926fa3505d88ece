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
  folder = await mkdtemp(join(tmpdir(), 'tracemill-judging-'));
});
const at = (name: string) => join(folder, name);
const text = (name: string) => readFile(at(name), 'utf8');
const linesOf = async (name: string) =>
  (await text(name))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
async function call(argv: readonly string[], typed: readonly string[] = []) {
  const { io, out, said } = testIo(undefined, typed);
  return { exit: await cli(commands, '0', [...argv], io), out: out(), said: said() };
}
const write = (name: string, rows: readonly object[]) =>
  writeFile(at(name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

/** `tasks` tasks of 4 rollouts, of which `passes(task)` pass; the marker polite is `polite(task)`. */
const run = (tasks: number, passes: (task: number) => number, polite: (task: number) => number = () => 1) =>
  Array.from({ length: tasks * 4 }, (_, n) => {
    const task = Math.floor(n / 4);
    return {
      rollout_id: `r${n}`,
      scenario_id: `t${task}`,
      prompt: `ask ${task} <script>alert(1)</script>`,
      final_text: 'said',
      reward: n % 4 < passes(task) ? 1 : 0,
      judge_status: 'ok',
      judge_name: 'j',
      markers: { polite: polite(task) },
      tool: task % 2 === 0 ? 'read' : 'write',
    };
  });

const standsAlone = (page: string) => {
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).not.toMatch(/<script|src=|href=|url\(|@import|https?:/i);
  expect(page).toContain('prefers-color-scheme:dark');
  expect(page).toContain("default-src 'none'");
  const open = [...page.matchAll(/<(svg|table|section|ul|p|text)\b/g)].length;
  expect([...page.matchAll(/<\/(svg|table|section|ul|p|text)>/g)]).toHaveLength(open);
};

it('compare: a gate says no with exit 1 when a guard fell, and yes when nothing did', async () => {
  await write(
    'before.jsonl',
    run(12, () => 2),
  );
  await write(
    'after.jsonl',
    run(
      12,
      () => 4,
      (task) => (task < 10 ? 0 : 1),
    ),
  );
  const flags = ['--target', 'pass_at_1', '--must-not-regress', 'polite'];
  const fell = await call([
    'compare',
    at('before.jsonl'),
    at('after.jsonl'),
    ...flags,
    '--gate',
    '--html',
    at('p/c.html'),
  ]);
  expect(fell.exit).toBe(1);
  expect(fell.out).toMatch(/marker:polite +guard .*worse/);
  expect(fell.out).toContain('The gate says no.');
  const page = await text('p/c.html');
  standsAlone(page);
  expect(page).toContain('The gate says no.');
  expect(page.match(/<circle/g)?.length).toBeGreaterThanOrEqual(12 + 2);
  expect((await call(['compare', at('before.jsonl'), at('after.jsonl'), ...flags])).exit).toBe(0); // no gate was asked for

  const better = await call(['compare', at('before.jsonl'), at('after.jsonl'), '--gate', '--by', 'tool', '--json']);
  expect(better.exit).toBe(0);
  expect(JSON.parse(better.out)).toMatchObject({
    ok: true,
    improved: ['pass_at_1'],
    by: 'tool',
    groups: { read: { delta: 0.5 } },
  });
});

it('compare: a guard that nothing measured fails the gate', async () => {
  await write(
    'before.jsonl',
    run(12, () => 2),
  );
  const { exit, out } = await call([
    'compare',
    at('before.jsonl'),
    at('before.jsonl'),
    '--gate',
    '--must-not-regress',
    'kind',
  ]);
  expect([exit, out]).toEqual([1, expect.stringContaining('kind')]);
});

it('trust: labels bear a judge out, or not, and --require says so', async () => {
  await write(
    'good.jsonl',
    run(30, (task) => (task % 2 === 0 ? 4 : 0)),
  );
  const labels = (right: (n: number) => boolean) =>
    run(30, (task) => (task % 2 === 0 ? 4 : 0)).map(({ rollout_id, reward }, n) => ({
      key: rollout_id,
      label: right(n) ? reward : 1 - reward,
      annotator: 'ada',
    }));
  await write(
    'labels.jsonl',
    labels(() => true),
  );
  await write(
    'other.jsonl',
    labels((n) => n % 3 !== 0),
  );
  const good = await call([
    'trust',
    at('good.jsonl'),
    '--labels',
    at('labels.jsonl'),
    '--require',
    '--html',
    at('t.html'),
  ]);
  expect([good.exit, good.out]).toEqual([0, expect.stringContaining('may be trusted')]);
  const bad = await call(['trust', at('good.jsonl'), '--labels', at('other.jsonl'), '--require', '--json']);
  expect(bad.exit).toBe(1);
  expect(JSON.parse(bad.out)).toMatchObject({
    ok: false,
    calibration: [
      { said: 0, n: 60 },
      { said: 1, n: 60 },
    ],
  });
  expect((await call(['trust', at('good.jsonl'), '--require'])).exit).toBe(1);
  const page = await text('t.html');
  standsAlone(page);
  expect(page).toContain('aria-label="calibration of the judge"');
});

it('trust: asks the judge again, attacks it, and has its failures audited', async () => {
  await writeFile(at('judge.mjs'), 'export default (row) => (/verified/.test(row.final_text) ? 1 : row.reward ?? 0);');
  await writeFile(at('audit.mjs'), 'export default () => 1;');
  await write(
    'rows.jsonl',
    run(30, () => 1),
  );
  const given = ['--judge', at('judge.mjs'), '--probes', '--audit', at('audit.mjs'), '--json'];
  const { out } = await call(['trust', at('rows.jsonl'), ...given]);
  expect(JSON.parse(out)).toMatchObject({
    exploitable_by: ['success_claim', 'refusal'], // it passes what passed, whatever stands there now
    audit: { false_negatives: 40, warning_codes: expect.arrayContaining(['verifier_wrong']) },
  });
});

it('label: stores each label as it is given, goes back, skips, and goes on where it stopped', async () => {
  await write(
    'rows.jsonl',
    run(6, () => 2).map((row) => ({ ...row, final_text: 'clear\u001b[2J \u202ethe screen' })),
  );
  const first = await call(['label', at('rows.jsonl'), '--n', '4'], ['p looks right', 'what', 's', 'f', 'b', 'p', 'q']);
  expect(first.exit).toBe(0);
  for (const mark of ['\u001b', '\u202e']) expect(first.said).not.toContain(mark);
  expect(first.said).not.toContain('reward');
  const labels = await linesOf('rows.labels.jsonl');
  expect(labels).toMatchObject([{ label: 1, note: 'looks right', kind: 'human' }, { label: 0 }, { label: 1 }]);
  expect(labels[2].key).toBe(labels[1].key); // asked again: the later one counts
  const next = await call(['label', at('rows.jsonl'), '--n', '4', '--json'], ['f', 'f', 'f', 'f', 'f']);
  expect(JSON.parse(next.out)).toMatchObject({ fail: 2, labelled_before: 2, left: 0 });
  const checked = JSON.parse(
    (await call(['trust', at('rows.jsonl'), '--labels', at('rows.labels.jsonl'), '--json'])).out,
  );
  expect(checked.n_labeled).toBe(4);
});

it('label: a label that a kill cut in half is asked for again', async () => {
  await write(
    'rows.jsonl',
    run(2, () => 2),
  );
  await call(['label', at('rows.jsonl'), '--n', '2'], ['p', 'f']);
  const [first] = (await text('rows.labels.jsonl')).split('\n');
  await writeFile(at('rows.labels.jsonl'), `${first}\n{"key":"r`);
  const next = await call(['label', at('rows.jsonl'), '--n', '2', '--json'], ['f', 'f']);
  expect(JSON.parse(next.out)).toMatchObject({ fail: 1, labelled_before: 1 });
  expect(await linesOf('rows.labels.jsonl')).toMatchObject([{ label: 1 }, { label: 0 }]);
});

it('label: shows as many rows that the judge passed as failed, and no task twice before all were shown', async () => {
  await write(
    'rows.jsonl',
    run(20, (task) => (task < 18 ? 4 : 0)),
  );
  await call(['label', at('rows.jsonl'), '--n', '4'], ['p', 'p', 'p', 'p']);
  const keys = (await linesOf('rows.labels.jsonl')).map(({ key }) => Number(key.slice(1)));
  expect(keys.filter((n) => n >= 72)).toHaveLength(2);
  expect(new Set(keys.map((n) => Math.floor(n / 4))).size).toBe(4);
});

const agent = `export default async (message, { call }) => {
  if (message.includes('broken')) throw new Error('down');
  const found = await call('get_order', { id: message });
  return { final_text: message.includes('good') ? 'right' : 'wrong', found };
};`;

it('eval: measures an agent by branch, says what is hollow, and its gate decides the exit code', async () => {
  await writeFile(at('agent.mjs'), agent);
  await writeFile(at('judge.mjs'), `export default (row) => row.final_text === 'right';`);
  const tool = (name: string) => ({
    name,
    description: name,
    parameters: { type: 'object', properties: { id: { type: 'string' } } },
  });
  await writeFile(at('tools.json'), JSON.stringify([tool('get_order'), tool('cancel_order')]));
  await write('asks.jsonl', [
    ...['good 1', 'good 2', 'good 3', 'bad 1'].map((prompt) => ({ prompt, scenario_dimensions: { rule: 'be kind' } })),
    { prompt: 'bad 2', scenario_dimensions: { rule: 'be quick' } },
    { prompt: 'broken' },
  ]);
  const given = ['--agent', at('agent.mjs'), '--judge', at('judge.mjs'), '--tools', at('tools.json'), '--k', '4'];
  const passed = await call([
    'eval',
    at('asks.jsonl'),
    ...given,
    '--gate',
    '0.6',
    '--out',
    at('rows.jsonl'),
    '--html',
    at('e.html'),
    '--json',
  ]);
  expect([passed.exit, passed.said]).toEqual([0, expect.anything()]);
  const report = JSON.parse(passed.out);
  expect(report).toMatchObject({
    pass_at_1: 0.6,
    k: 4,
    pass_pow_k: 0.6,
    n_rows: 20,
    gate: { at: 0.6, ok: true },
    by: { 'be kind': { pass_at_1: 0.75 }, 'be quick': { pass_at_1: 0 } },
  });
  expect(report.warnings.join('\n')).toMatch(/1 of 6 asks have no graded rollout[\s\S]*20 of 24 planned/);
  expect(report.warnings.join('\n')).toContain('never called: cancel_order');
  expect(await linesOf('rows.jsonl')).toHaveLength(20);
  standsAlone(await text('e.html'));

  await writeFile(at('asks.txt'), 'bad 1\n\nbad 2\nbad 3\n');
  const failed = await call(['eval', at('asks.txt'), ...given, '--gate', '0.5']);
  expect([failed.exit, failed.out]).toEqual([1, expect.stringContaining('the gate at 0.5 says no')]);
});

it('eval: asks that cannot be read are said, and replies that a killed run had stay until a run is whole', async () => {
  await writeFile(at('agent.mjs'), `export default () => 'right';`);
  await writeFile(at('judge.mjs'), `export default (row) => row.final_text === 'right';`);
  await writeFile(at('asks.jsonl'), '{"prompt":"good 1"}\n{"prompt":\n');
  await writeFile(at('rows.jsonl.replies.jsonl'), '');
  const argv = [
    'eval',
    at('asks.jsonl'),
    '--agent',
    at('agent.mjs'),
    '--judge',
    at('judge.mjs'),
    '--out',
    at('rows.jsonl'),
  ];
  const { exit, out } = await call([...argv, '--json']);
  expect(exit).toBe(0);
  expect(JSON.parse(out).warnings.join('\n')).toMatch(/1 lines of .*asks\.jsonl are no asks/);
});

it('eval: a gate with nothing measured says no', async () => {
  await writeFile(at('agent.mjs'), `export default () => 'said';`);
  await writeFile(at('judge.mjs'), `export default () => { throw new Error('down'); };`);
  await writeFile(at('asks.txt'), 'a\nb\n');
  const { exit } = await call([
    'eval',
    at('asks.txt'),
    '--agent',
    at('agent.mjs'),
    '--judge',
    at('judge.mjs'),
    '--gate',
    '0',
  ]);
  expect(exit).toBe(1);
});

it('grade: measures its judge on labelled rows at its end, stamps them, and --trust require decides', async () => {
  const rows = run(30, (task) => (task % 2 === 0 ? 4 : 0)).map(({ reward, ...row }) => ({
    ...row,
    gold_reward: reward,
    gold_kind: 'human',
    right: reward,
  }));
  await write('rows.jsonl', rows);
  await writeFile(at('judge.mjs'), 'export default (row) => row.right;');
  await writeFile(at('lax.mjs'), 'export default () => 1;');
  const good = await call([
    'grade',
    at('rows.jsonl'),
    '--judge',
    at('judge.mjs'),
    '--out',
    at('g.jsonl'),
    '--html',
    at('g.html'),
    '--trust',
    'require',
  ]);
  standsAlone(await text('g.html'));
  expect([good.exit, good.said]).toEqual([0, expect.stringContaining('Trust: ok; agreement 1')]);
  expect((await linesOf('g.jsonl'))[0].judge_meta.trust).toMatchObject({ ok: true, n_gold: 120 });
  const lax = await call([
    'grade',
    at('rows.jsonl'),
    '--judge',
    at('lax.mjs'),
    '--out',
    at('h.jsonl'),
    '--trust',
    'require',
  ]);
  expect([lax.exit, lax.said]).toEqual([1, expect.stringContaining('Trust: no')]);
  expect((await call(['grade', at('rows.jsonl'), '--judge', at('lax.mjs'), '--out', at('i.jsonl')])).exit).toBe(0);
});

it('report --html shows each task with its interval', async () => {
  await write(
    'rows.jsonl',
    run(6, (task) => task % 5),
  );
  expect((await call(['report', at('rows.jsonl'), '--by', 'tool', '--html', at('r.html')])).exit).toBe(0);
  const page = await text('r.html');
  standsAlone(page);
  expect(page.match(/<circle/g)).toHaveLength(8);
  expect(page).toContain('&lt;script&gt;');
});

it('run: a config describes a model judge; what it answered is stored, and a second run asks nothing', async () => {
  let asked = 0;
  const host = createServer((request, response) => {
    request.resume().on('end', () => {
      asked++;
      const content = '{"criteria": [{"number": 1, "met": true}, {"number": 2, "met": false}], "reason": "so"}';
      const choice = { message: { role: 'assistant', content }, finish_reason: 'stop' };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ model: 'm', choices: [choice] }));
    });
  });
  await new Promise<void>((done) => void host.listen(0, '127.0.0.1', done));
  try {
    const { port } = host.address() as AddressInfo;
    await writeFile(at('rubric.yaml'), '- {title: Says where}\n- {title: Short}\n');
    const judge = { model: `http://127.0.0.1:${port}/v1#m`, rubric: 'rubric.yaml', version: 'v2' };
    await writeFile(
      at('t.yaml'),
      JSON.stringify({ pipeline: 'evaluate', judge, in: 'rows.jsonl', out: 'graded.jsonl', cache: 'replies' }),
    );
    await write(
      'rows.jsonl',
      run(2, () => 0),
    );
    const first = await call(['run', '--config', at('t.yaml')]);
    expect([first.exit, first.said]).toEqual([0, expect.anything()]);
    expect(asked).toBe(8);
    const graded = await linesOf('graded.jsonl');
    expect(graded).toHaveLength(8);
    for (const row of graded)
      expect(row).toMatchObject({
        reward: 0.5,
        markers: { 'rubric:says_where': 1, 'rubric:short': 0 },
        judge_meta: { judge_model: 'm', version: 'v2' },
        lineage: { judge_version: 'v2' },
      });
    expect((await call(['run', '--config', at('t.yaml')])).exit).toBe(0);
    expect(asked).toBe(8);
  } finally {
    host.close();
  }
});
