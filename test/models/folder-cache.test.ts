import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ChatReply } from '../../src/models/chat-model.ts';
import { folderCache } from '../../src/models/folder-cache.ts';

const reply = (text: string) => ({ content: text }) as unknown as ChatReply;

it('a reply that one process stored is found by another, and the first one stays', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'tracemill-replies-')), 'new');
  const [here, there] = [folderCache(folder), folderCache(folder)];
  expect(here.get('abc1')).toBeUndefined();
  await Promise.all([here.set('abc1', reply('first')), there.set('abc2', reply('other'))]);
  await there.set('abc1', reply('late'));
  expect([here.get('abc1'), there.get('abc1'), here.get('abc2')]).toEqual([
    reply('first'),
    reply('first'),
    reply('other'),
  ]);
  expect((await readdir(join(folder, 'ab'))).sort()).toEqual(['abc1.json', 'abc2.json']);
  expect((await stat(join(folder, 'ab', 'abc1.json'))).mode & 0o777).toBe(0o600);
});

it('of many that store at once exactly one wins, for all', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-replies-'));
  const caches = Array.from({ length: 8 }, () => folderCache(folder));
  await Promise.all(caches.map((cache, n) => cache.set('key', reply(`${n}`))));
  const found = new Set(caches.map((cache) => JSON.stringify(cache.get('key'))));
  expect(found.size).toBe(1);
});

it('a folder that cannot be written is told', async () => {
  await expect(folderCache('package.json').set('key', reply('x'))).rejects.toMatchObject({ code: 'TM_SINK' });
});
