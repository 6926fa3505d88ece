import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { judgeRows } from '../../../docs/examples/judge-client.ts';
import { TracemillError } from '../../../src/core/errors.ts';
import { realtimeJudge } from '../../../src/pipelines/realtime-judge.ts';
import type { Row } from '../../../src/rows/row.ts';
import { liveScene, token } from '../live.ts';
import { judging } from './judging.ts';

const four = ({ final_text }: Row) => ({ reward: Number(final_text === '4'), reason: 'compared' });
const run = promisify(execFile);

it('answers one row, a list and a batch in their order', async () => {
  const { post } = judging(four);
  const [one, list, batch] = [
    await post({ rollout_id: 'r1', final_text: '4' }),
    await post([{ final_text: '4' }, { final_text: '5' }]),
    await post({ rows: [{ final_text: '5' }, { final_text: '4' }] }),
  ];
  expect([one, list, batch].map(({ body }) => body.rewards)).toEqual([[1], [1, 0], [0, 1]]);
  expect(one.body.verdicts[0]).toMatchObject({
    rollout_id: 'r1',
    judge_status: 'ok',
    judge_name: 'four',
    reason: 'compared',
  });
});

it('reads prompts and completions as the reward functions of trainers have them', async () => {
  const seen: Row[] = [];
  const { post, written } = judging((row) => {
    seen.push(row);
    return row.final_text === row['answer'];
  });
  const call = { id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":2}' } };
  const { body } = await post({
    prompts: [
      '2 + 2?',
      [
        { role: 'system', content: 's' },
        { role: 'user', content: '3 + 1?' },
      ],
    ],
    completions: [
      '4',
      [
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'assistant', content: '5' },
      ],
    ],
    answer: ['4', '4'],
    level: 'easy',
    completion_ids: [[1], [2]],
  });
  expect(body.rewards).toEqual([1, 0]);
  expect(seen[1]).toMatchObject({
    ...{ prompt: '3 + 1?', final_text: '5', level: 'easy', answer: '4' },
    steps: [{ tool: 'add', arguments: { a: 2 } }, { text: '5' }],
    messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant' }, { role: 'assistant' }],
  });
  expect(written.map((row) => [row.reward, 'answer' in row])).toEqual([
    [1, false],
    [0, false],
  ]);
});

it('eight completions of one prompt, six of them right, are eight rollouts with pass@1 of 0.75', async () => {
  const { post, written } = judging(four);
  const completions = ['4', '4', '4', '4', '4', '4', '5', '5'];
  const { body } = await post({ prompts: completions.map(() => '2 + 2?'), completions });
  const { live } = liveScene();
  for (const row of [...written, ...written]) live.row(row); // and a replay counts none again
  live.tick();
  const { pass = [], rollouts = [] } = live.board.since();
  expect(pass.at(-1)).toMatchObject({ pass_at_1: 0.75, n_rows: 8, n_tasks: 1 });
  expect(rollouts.map(({ rollout_id }) => rollout_id)).toEqual(body.verdicts.map(({ rollout_id }) => rollout_id));
});

it('answers within info and metadata and labels of people do not reach the verdict stream or the page', async () => {
  const { post, written, service } = judging(four);
  const secret = { info: { answer: 'the key', level: 1 }, metadata: { solution: 'the key' }, ground_truth: 'the key' };
  await post({ rollout_id: 'r', final_text: '4', ...secret, gold_labels: [{ label: 'the key' }], gold_reward: 1 });
  await service.close();
  expect(written[0]).toMatchObject({ info: { level: 1 }, gold_reward: 1, reward: 1 });
  const { live } = liveScene();
  live.row({ rollout_id: 'p', ...secret } as Row); // another process graded it
  expect(JSON.stringify(written) + live.rowText('p')).not.toContain('the key');
});

it('what fails after a verdict is said to whoever asked, and the service still ends', async () => {
  const fail = () => {
    throw new Error('no room');
  };
  for (const judge of [() => 1, async () => 1]) {
    const service = realtimeJudge({}, { judge, shown: fail });
    await expect(service.grade([{}])).rejects.toThrow('no room');
    await service.close();
  }
});

it.each([
  [3, 400],
  [{ rows: 3 }, 400],
  [[{ final_text: 3 }], 400],
  [{ completions: ['a'], prompts: ['a', 'b'] }, 400],
  [{ completions: ['a'], answer: ['a', 'b'] }, 400],
  [{ rows: Array.from({ length: 1025 }, () => ({})) }, 413],
])('refuses what it cannot judge %#', async (body, status) => {
  expect((await judging(four).post(body)).status).toBe(status);
});

it('says why there is no verdict, and never a zero', async () => {
  const { post, written } = judging(
    ({ final_text }) => {
      if (final_text === 'throws') throw new Error('no idea');
      return final_text === 'hangs' ? new Promise(() => {}) : final_text === 'odd' ? 'what' : true;
    },
    { timeoutMs: 20 },
  );
  const { body } = await post(['throws', 'hangs', 'odd', 'fine'].map((final_text) => ({ final_text })));
  expect(body.rewards).toEqual([null, null, null, 1]);
  expect(body.verdicts.map(({ judge_status }) => judge_status)).toEqual(['error', 'timeout', 'invalid_result', 'ok']);
  expect(written).toHaveLength(4);
});

it('calls the judge so many times at once, whoever asks, and answers all', async () => {
  let [now, most] = [0, 0];
  const slow = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
    return 1;
  };
  const { post } = judging(slow, { maxConcurrent: 3 });
  const rows = Array.from({ length: 10 }, (_, n) => ({ rollout_id: `r${n}` }));
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(rows)));
  expect(answers.flatMap(({ body }) => body.rewards)).toEqual(Array(40).fill(1));
  expect(most).toBe(3);
});

it('sends rows away when too many wait, says when to come again, and has room later', async () => {
  const open: (() => void)[] = [];
  const { post } = judging(() => new Promise((resolve) => open.push(() => resolve(1))), {
    maxConcurrent: 1,
    maxWaiting: 2,
  });
  const first = post([{}, {}, {}]);
  await new Promise((resolve) => setImmediate(resolve));
  const away = await post([{}]);
  expect([away.status, Number(away.headers.get('retry-after'))]).toEqual([
    429,
    expect.toSatisfy((s: number) => s >= 1),
  ]);
  while (open.length > 0) {
    open.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await first).body.rewards).toEqual([1, 1, 1]);
  const later = post([{}]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  open.shift()?.();
  expect((await later).status).toBe(200);
});

it('writes every verdict before it ends, many at a time', async () => {
  const batches: number[] = [];
  const { service, post } = judging(four, {}, async (rows) => {
    batches.push(rows.length);
    await new Promise((resolve) => setTimeout(resolve, 1));
  });
  await Promise.all(Array.from({ length: 20 }, () => post([{ final_text: '4' }, {}])));
  await service.close();
  expect(batches.reduce((sum, n) => sum + n, 0)).toBe(40);
  expect(batches.length).toBeLessThan(20);
  expect((await post([{}])).status).toBe(429);
});

it('rows that wait when it stops are answered with 503, and an open call that hangs does not keep it', async () => {
  let calls = 0;
  const hangs = () => {
    calls++;
    return new Promise<number>(() => {});
  };
  const { service, post } = judging(hangs, { maxConcurrent: 2 });
  const all = post(Array.from({ length: 50 }, () => ({})));
  const others = post([{}]);
  while (calls < 2) await new Promise((resolve) => setImmediate(resolve));
  const closed = service.close(20);
  const answers = await Promise.all([all, others]);
  expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [503, '1'],
    [503, '1'],
  ]);
  await closed;
  expect(calls).toBe(2);
});

it('does not go on in silence when verdicts cannot be written', async () => {
  const { post } = judging(four, {}, async () => {
    throw new TracemillError('TM_SINK', 'no disk');
  });
  expect((await post([{}])).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await post([{}])).status).toBe(503);
});

it('is called by the reward function of the docs, in Python', async () => {
  const { listen } = judging(({ final_text }) => final_text === '4');
  const server = await listen();
  onTestFinished(() => server.close(50));
  const env = { ...process.env, TRACEMILL_URL: server.url, TRACEMILL_TOKEN: token };
  const script = [
    'import sys; sys.path.insert(0, "docs/examples")',
    'from reward import tracemill_reward as f',
    'print(f(prompts=["2+2", "1"], completions=["4", [{"role": "assistant", "content": "5"}]], answer=["4", "1"], trainer_state=object()))',
  ].join('\n');
  const { stdout } = await run('python3', ['-c', script], { env });
  expect(stdout.trim()).toBe('[1, 0]');
});

it('is called by the client of the docs, in TypeScript', async () => {
  const { listen } = judging(four);
  const server = await listen();
  onTestFinished(() => server.close(50));
  const verdicts = await judgeRows([{ final_text: '4' }, {}], { url: server.url, token });
  expect(verdicts.map(({ reward }) => reward)).toEqual([1, 0]);
  await expect(judgeRows([{}], { url: server.url, token: 'no' })).rejects.toThrow('judge: 401');
});
