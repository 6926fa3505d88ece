import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { inFolder } from './in-folder.ts';

const { at, call, linesOf } = inFolder();

it('runs a pipeline of a config in memory: paths and modules lie beside the config', async () => {
  const rows = [0, 1, 2].map((n) => ({
    scenario_id: 's',
    rollout_id: `r${n}`,
    prompt: 'p',
    steps: [],
    final_text: `${n}`,
  }));
  await writeFile(at('rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(at('judge.mjs'), 'export default ({ final_text }) => Number(final_text) % 2;');
  await writeFile(
    at('tracemill.yaml'),
    'pipeline: evaluate\nin: rows.jsonl\njudge: ./judge.mjs\nout: {graded: out/graded.jsonl, verdicts: out/verdicts.jsonl}\noptions: {maxConcurrent: 2}\n',
  );
  const { exit, said } = await call('run', '--config', at('tracemill.yaml'));
  expect([exit, said]).toEqual([0, expect.stringMatching(/graded +3[\s\S]*verdicts +3[\s\S]*No row was rejected/)]);
  expect((await linesOf('out/graded.jsonl')).map(({ reward }) => reward)).toEqual([0, 1, 0]);
  expect((await linesOf('out/verdicts.jsonl')).map(({ reward }) => reward).sort()).toEqual([0, 0, 1]);
});

it('simulates with the tools of a file, the same for every run', async () => {
  await writeFile(
    at('tools.json'),
    JSON.stringify([{ name: 'get_order', parameters: { type: 'object', properties: {} } }]),
  );
  const config = {
    pipeline: 'simulate',
    agent: 'seeded',
    tools: 'tools.json',
    options: { budget: 8, seed: 3 },
    judge: 'json_valid',
  };
  await writeFile(at('run.json'), JSON.stringify(config));
  for (const out of ['a', 'b'])
    expect(await call('run', '--config', at('run.json'), '--out', at(out))).toMatchObject({ exit: 0 });
  const sorted = async (name: string) => (await linesOf(name)).map((row) => JSON.stringify(row)).sort();
  expect(await sorted('a')).toHaveLength(8);
  expect(await sorted('a')).toEqual(await sorted('b'));
});

it('the loop ended with an empty table and no word of the set that it had made', async () => {
  const rows = Array.from({ length: 12 }, (_, n) => ({
    ...{ scenario_id: `s${n}`, rollout_id: `r${n}`, prompt: `Where is order ORD-${n}?`, final_text: 'It is shipped.' },
    steps: [{ tool: 'get_order', arguments: { order_id: `ORD-${n}` }, result: { error: 'not found' } }],
  }));
  await writeFile(at('traces.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const [tools, judge] = ['tools.json', 'judge.mjs'].map((name) => resolve('docs/examples/shop', name));
  const options = { out: 'training', k: 4 };
  const config = { pipeline: 'traceToTraining', in: 'traces.jsonl', tools, agent: 'seeded', judge, options };
  await writeFile(at('loop.json'), JSON.stringify(config));
  const { exit, said } = await call('run', '--config', at('loop.json'));
  expect([exit, said]).toEqual([0, expect.stringMatching(new RegExp(`selected +[1-9]\\d* +${at('training')}`))]);
});

it.each([
  ['no pipeline', ['run'], /no pipeline is named/],
  ['a pipeline that is none', ['run', 'evalute'], /no pipeline is called evalute; there are/],
  ['a judge that is missing', ['run', 'evaluate', '--in', 'x'], /evaluate: no judge/],
  ['no rows', ['run', 'evaluate', '--judge', 'json_valid'], /no rows go in/],
  [
    'workers in memory',
    ['run', 'evaluate', '--judge', 'json_valid', '--workers', '2'],
    /--workers, --brokers and --transactional need --bus kafka/,
  ],
  ['no brokers', ['run', 'evaluate', '--judge', 'json_valid', '--bus', 'kafka'], /no brokers are given/],
  ['topics of nothing', ['topics', 'lag'], /topics: which\?/],
  ['half a command', ['topics'], /create/],
])('%s is a wrong call, said in words', async (_name, argv, words) => {
  const { exit, said } = await call(...argv);
  expect([exit, said]).toEqual([2, expect.stringMatching(words)]);
});

it('an option of the pipeline that nobody declared names its place', async () => {
  await writeFile(at('c.yaml'), 'pipeline: evaluate\njudge: json_valid\noptions: {maxConcurent: 2}\n');
  expect(await call('run', '--config', at('c.yaml'))).toMatchObject({
    exit: 2,
    said: expect.stringMatching(/evaluate: .*maxConcurent/s),
  });
});

it('brokers that are away end every command that needs them with 3 and a reason', async () => {
  for (const argv of [
    ['run', 'evaluate', '--bus', 'kafka', '--judge', 'json_valid'],
    ['stage', 'judge', '--pipeline', 'evaluate', '--judge', 'json_valid'],
    ['topics', 'lag', '--prefix', 'p'],
  ])
    expect(await call(...argv, '--brokers', '127.0.0.1:1')).toMatchObject({
      exit: 3,
      said: expect.stringMatching(/brokers 127.0.0.1:1 cannot be reached/),
    });
});
