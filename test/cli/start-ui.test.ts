import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { freshFolder } from '../folder.ts';
import { eventReader } from '../server/live.ts';
import { testIo } from './test-io.ts';

it('start --ui shows the run on a page until it is stopped, to who has the token', async () => {
  vi.stubEnv('TRACEMILL_TOKEN', '');
  const stop = new AbortController();
  const { io, said } = testIo(stop.signal);
  const out = join(await freshFolder(), 'out');
  const ended = cli(commands, '0', ['start', '--ui', '--budget', '64', '--out', out], io);
  await vi.waitFor(() => expect(said()).toContain('The page stays'), 25_000);
  const url = new URL(/Open (\S+)/.exec(said())?.[1] ?? '');
  const token = url.searchParams.get('token') ?? '';
  expect((await fetch(`${url.origin}/`)).status).toBe(401);
  const page = await fetch(`${url.origin}/`, { headers: { 'x-api-key': token } });
  expect(await page.text()).toContain('/page/main.js');
  const events = eventReader(await fetch(`${url.origin}/v1/events`, { headers: { 'x-api-key': token } }));
  const { data } = await events.next();
  await events.end();
  expect(data.totals['rollouts']).toBe(64); // reports and selection read them again
  expect(data.pass?.at(-1)).toMatchObject({ n_rows: 64, pass_at_1: expect.any(Number) });
  expect(data.stages?.map(({ operator, workers }) => `${operator} ${workers}`)).toContain('world 0');
  expect(data.coverage?.length).toBeGreaterThan(3);
  stop.abort();
  expect(await ended).toBe(0);
});
