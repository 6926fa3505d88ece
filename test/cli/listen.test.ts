import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, vi } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { freshFolder } from '../folder.ts';
import { listening, post } from './listening.ts';
import { testIo } from './test-io.ts';

const said = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const chat = (n: number, ask: string, reply: string, conversation = `c${n}`) => ({
  traceId: n.toString(16).padStart(32, '0'),
  spanId: n.toString(16).padStart(16, '0'),
  name: 'chat',
  startTimeUnixNano: `${1_760_000_000_000_000_000n + BigInt(n)}`,
  endTimeUnixNano: `${1_760_000_000_000_000_001n + BigInt(n)}`,
  attributes: Object.entries({
    'gen_ai.operation.name': 'chat',
    'gen_ai.conversation.id': conversation,
    'gen_ai.input.messages': said('user', ask),
    'gen_ai.output.messages': said('assistant', reply),
  }).map(([key, stringValue]) => ({ key, value: { stringValue } })),
});
const send = (url: string, ...spans: readonly unknown[]) =>
  post(url, '/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] });
const rowsIn = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

it('writes one row for each conversation, redacted, and ends in order', async () => {
  const out = join(await freshFolder(), 'new', 'traces.jsonl');
  const { url, end, said } = await listening(out);
  const key = 'sk-proj-abcdefghijklmnop1234567890';
  expect((await send(url, chat(1, `mail jo@mail.example, ${key}`, 'sent'), { traceId: 'x' })).status).toBe(200);
  const late = (value: number, at: number) => ({
    ...{ trace_id: '1'.padStart(32, '0'), name: 'reward', value, time_unix_nano: `176000000000000000${at}` },
  });
  // the later one is a correction, whichever comes first
  expect((await post(url, '/v1/scores', [late(1, 6), late(0, 5)])).status).toBe(200);
  expect(await end()).toBe(0);
  expect(await rowsIn(out)).toMatchObject([
    {
      conversation_id: 'c1',
      final_text: 'sent',
      markers: { reward: 1 },
      reward: 1,
      prompt: expect.stringMatching(/^mail \[email:\w+\], \[openai_key:\w+\]$/),
      redacted: expect.objectContaining({ email: expect.any(Number) }),
    },
  ]);
  expect(said()).toContain('listen: 1 spans, 2 verdicts, 1 rows, rejected: 1 invalid_id');
  expect(existsSync(`${out}.spool`)).toBe(false);
});

it('puts a verdict on a trace that was told and forgotten long ago, once, and names one of no trace', async () => {
  const out = join(await freshFolder(), 'traces.jsonl');
  const first = await listening(out);
  await send(first.url, chat(1, 'go', 'gone', 'c1'), chat(2, 'come', 'came', 'c2'));
  await first.end();
  const verdict = (more: object) => ({ name: 'reward', value: 1, time_unix_nano: '1760000000000000006', ...more });
  const known = { trace_id: '1'.padStart(32, '0') };
  const second = await listening(out);
  expect((await post(second.url, '/v1/scores', [verdict(known), verdict({ conversation_id: 'nobody' })])).status).toBe(
    200,
  );
  await second.end();
  expect(second.said()).toContain('rejected: 1 unknown_trace');
  const third = await listening(out); // the same again, and one that is older: nothing is new
  await post(third.url, '/v1/scores', [
    verdict(known),
    verdict({ ...known, value: 0, time_unix_nano: '1760000000000000005' }),
  ]);
  await third.end();
  const fourth = await listening(out);
  await post(fourth.url, '/v1/scores', {
    conversation_id: 'c1',
    name: 'polite',
    value: 0.5,
    time_unix_nano: '1760000000000000007',
  });
  await fourth.end();
  const rows = await rowsIn(out);
  expect(rows.map(({ conversation_id, revision }) => [conversation_id, revision])).toEqual([
    ['c1', 1],
    ['c2', 1],
    ['c1', 2],
    ['c1', 3],
  ]);
  expect(rows[2]).toMatchObject({
    rollout_id: rows[0].rollout_id,
    final_text: 'gone',
    reward: 1,
    markers: { reward: 1 },
  });
  expect(rows[3]).toMatchObject({ reward: 1, markers: { reward: 1, polite: 0.5 } });
  expect(await rowsIn(out.replace('.jsonl', '.rejected.jsonl'))).toMatchObject([
    { reason: 'unknown_trace', row: { conversation_id: 'nobody', reward: 1 } },
  ]);
});

it('keeps personal data when told to, secrets never', async () => {
  const out = join(await freshFolder(), 'traces.jsonl');
  const { url, end } = await listening(out, '--keep-personal-data');
  await send(url, chat(1, 'mail jo@mail.example, password=Secret123456', 'sent'));
  await end();
  expect(await rowsIn(out)).toMatchObject([{ prompt: expect.stringMatching(/jo@mail\.example.*\[secret:/) }]);
});

it('asks for the token of the environment', async () => {
  vi.stubEnv('OUR_TOKEN', 'a-token-of-some-length');
  const out = join(await freshFolder(), 'traces.jsonl');
  const { url, end } = await listening(out, '--token-env', 'OUR_TOKEN');
  expect((await send(url, chat(1, 'go', 'gone'))).status).toBe(401);
  await end();
});

it('says that the port is taken, and ends', async () => {
  const folder = await freshFolder();
  const first = await listening(join(folder, 'one.jsonl'));
  const { io, said } = testIo();
  const port = new URL(first.url).port;
  expect(await cli(commands, '0', ['listen', '--out', join(folder, 'two.jsonl'), '--port', port], io)).toBe(3);
  expect(said()).toContain('something listens there already');
  await first.end();
});

it.each([
  ['--max-idle-ms', ['--brokers', '127.0.0.1:1', '--max-idle-ms', '500']],
  ['--max-late-ms', ['--brokers', '127.0.0.1:1', '--max-late-ms', '500']],
  ['--keep-personal-data', ['--brokers', '127.0.0.1:1', '--keep-personal-data']],
  ['--salt', ['--brokers', '127.0.0.1:1', '--salt', 'a salt of mine']],
  ['--prefix', ['--out', 'x.jsonl', '--prefix', 'p']],
  ['--brokers', ['--out', 'x.jsonl', '--brokers', '127.0.0.1:1']],
  ['--tls', ['--out', 'x.jsonl', '--tls']],
  ['--sasl-username', ['--out', 'x.jsonl', '--sasl-username', 'jo']],
])('%s was taken and did nothing where the rows went to the other place', async (flag, argv) => {
  const { io, said } = testIo();
  expect(await cli(commands, '0', ['listen', ...argv], io)).toBe(2);
  expect(said()).toMatch(new RegExp(`TM_OPTIONS: listen: ${flag} does nothing with`));
});

it('TRACEMILL_BROKERS was ignored, and it asked for --brokers', async () => {
  const call = async () => {
    const { io, said } = testIo();
    return [await cli(commands, '0', ['listen'], io), said()];
  };
  vi.stubEnv('TRACEMILL_BROKERS', '127.0.0.1:1');
  try {
    expect(await call()).toEqual([3, expect.stringContaining('brokers 127.0.0.1:1 cannot be reached')]);
    vi.stubEnv('TRACEMILL_BROKERS', undefined);
    expect(await call()).toEqual([2, expect.stringMatching(/listen: name --out.*--brokers.*TRACEMILL_BROKERS/)]);
  } finally {
    vi.unstubAllEnvs();
  }
});

it('loses no span that it answered when it is killed, and tells none twice', async () => {
  const out = join(await freshFolder(), 'traces.jsonl');
  const start = async () => {
    const argv = ['--import', 'tsx', 'src/cli/main.ts', 'listen', '--out', out, '--port', '0', '--max-idle-ms', '300'];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
    for await (const line of createInterface({ input: child.stderr })) {
      const url = /Listening at (\S+),/.exec(line)?.[1];
      if (url !== undefined) return { child, url };
    }
    throw new Error('it ended before it listened');
  };
  const answered = new Set<string>();
  const first = await start();
  for (let n = 1; n <= 40; n++) if ((await send(first.url, chat(n, 'go', `gone ${n}`))).ok) answered.add(`c${n}`);
  await vi.waitFor(() => expect(existsSync(out)).toBe(true), { timeout: 20_000 }); // some are told, and remembered
  const last = [41, 42, 43].map(
    async (n) => (await send(first.url, chat(n, 'go', `gone ${n}`))).ok && answered.add(`c${n}`),
  );
  await Promise.all(last);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await start();
  expect((await send(second.url, chat(44, 'more', 'gone again', 'c1'))).ok).toBe(true);
  second.child.kill('SIGTERM');
  await once(second.child, 'exit');
  const rows = await rowsIn(out);
  const revisions = rows.map(({ rollout_id, revision }) => `${rollout_id} ${revision}`);
  expect(new Set(revisions).size).toBe(revisions.length);
  expect(new Set(rows.map(({ conversation_id }) => conversation_id))).toEqual(answered);
  const told = rows.filter(({ conversation_id }) => conversation_id === 'c1').at(-1);
  expect(told).toMatchObject({ revision: 2, prompt: 'go', final_text: 'gone again' }); // of spans of both processes
  expect(existsSync(`${out}.spool`)).toBe(false);
}, 90_000);

it('a second listen on the same file is refused and takes nothing from the first', async () => {
  const out = join(await freshFolder(), 'traces.jsonl');
  const { url, end } = await listening(out);
  const { io, said } = testIo();
  expect(await cli(commands, '0', ['listen', '--out', out, '--port', '0'], io)).toBe(3);
  expect(said()).toContain(`TM_SINK: ${out}: another process writes to it`);
  expect((await send(url, chat(1, 'go', 'gone'))).status).toBe(200);
  expect(await end()).toBe(0);
  expect(await rowsIn(out)).toMatchObject([{ final_text: 'gone' }]);
  const again = await listening(out);
  expect(await again.end()).toBe(0);
});

it('a span whose conversation an earlier process told is a row of its own, and takes nothing from the first', async () => {
  const out = join(await freshFolder(), 'traces.jsonl');
  const first = await listening(out);
  await send(first.url, chat(1, 'first question', 'first answer', 'c'), chat(2, 'one', '1'), chat(3, 'two', '2', 'c2'));
  await first.end();
  const second = await listening(out);
  await send(second.url, chat(4, 'third question', 'third answer', 'c'), {
    ...chat(2, 'three', '3'),
    spanId: 'f'.repeat(16),
  });
  await second.end();
  const [told, ...more] = (await rowsIn(out)).filter(({ conversation_id }) => conversation_id === 'c');
  expect(told).toMatchObject({ prompt: 'first question', final_text: 'first answer', revision: 1 });
  expect(more).toMatchObject([{ prompt: 'third question', is_late: true, part_of: told.rollout_id }]);
  const rows = await rowsIn(out);
  expect(rows.map(({ final_text }) => final_text).sort()).toEqual(['2', '3', 'first answer', 'third answer']);
  expect(new Set(rows.map(({ rollout_id }) => rollout_id)).size).toBe(4);
});

it('a second listen on the same file by a link is refused', async () => {
  const folder = await freshFolder();
  const out = join(folder, 'traces.jsonl');
  for (const target of [out, 'link.jsonl']) {
    const link = join(folder, target === out ? 'link.jsonl' : 'link2.jsonl');
    await symlink(target, link);
    const { end } = await listening(out);
    const { io, said } = testIo();
    expect(await cli(commands, '0', ['listen', '--out', link, '--port', '0'], io)).toBe(3);
    expect(said()).toContain('another process writes to it');
    await end();
  }
});

it('ends when its file is removed while it runs, and loses no row: the next start writes them', async () => {
  const out = join(await freshFolder(), 'traces.jsonl');
  const first = await listening(out, '--max-idle-ms', '50');
  await send(first.url, chat(1, 'go', 'gone'));
  await vi.waitFor(() => expect(existsSync(out)).toBe(true), 5000);
  await rm(out);
  await send(first.url, chat(2, 'come', 'came'));
  await vi.waitFor(() => expect(first.said()).toContain('it was removed while it was written'), 5000);
  expect(await first.end()).toBe(3);
  const second = await listening(out);
  await second.end();
  expect((await rowsIn(out)).map(({ final_text }) => final_text).sort()).toEqual(['came', 'gone']);
});
