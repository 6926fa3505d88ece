import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pushToHub } from '../../../src/sinks/hub/push-to-hub.ts';
import { importFiles } from '../../../src/sources/files/index.ts';
import { fakeHub, goodToken } from '../../fake-hub.ts';
import { freshFolder } from '../../folder.ts';

const row = (id: string) =>
  JSON.stringify({ schema_version: '1', rollout_id: id, prompt: 'q', steps: [], final_text: 'a' });

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await freshFolder();
  await mkdir(join(folder, 'data'));
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  return folder;
}

it('makes a private repository, and each push is one commit with a tag and a line of history', async () => {
  const hub = await fakeHub();
  const access = { token: goodToken, hubUrl: hub.url };
  const folder = await folderOf({
    'data/train.jsonl': `${row('a')}\n`,
    'data/old.jsonl': `${row('b')}\n`,
    '.secret': 'x',
  });
  const first = await pushToHub(folder, { repo: 'me/set' }, { ...access, facts: { gate: 'passed' } });
  expect(first).toMatchObject({ tag: 'v1', files: ['data/old.jsonl', 'data/train.jsonl', 'history.jsonl'] });
  await rm(join(folder, 'data/old.jsonl'));
  await writeFile(join(folder, 'data/train.jsonl'), `${row('c')}\n`);
  const second = await pushToHub(folder, { repo: 'me/set' }, access);
  const repo = hub.repo('dataset', 'me/set');
  expect(repo?.visibility).toBe('private');
  expect(repo?.commits.map(({ title }) => title)).toEqual([
    'initial commit',
    'Push from Tracemill (v1)',
    'Push from Tracemill (v2)',
  ]);
  expect([...(repo?.tags ?? [])]).toEqual([
    ['v1', first.commit],
    ['v2', second.commit],
  ]);
  const files = [...(repo?.commits.at(-1)?.files.keys() ?? [])];
  expect(files.toSorted()).toEqual(['.gitattributes', 'data/train.jsonl', 'history.jsonl']); // the old file went, nothing hidden came
  const history = hub
    .file('dataset', 'me/set', 'history.jsonl')
    ?.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(history).toMatchObject([
    { push: 1, tag: 'v1', gate: 'passed', files: { 'data/old.jsonl': expect.stringMatching(/^[0-9a-f]{64}$/) } },
    { push: 2 },
  ]);
});

it('large files travel apart from the commit, and come back whole', async () => {
  const hub = await fakeHub();
  const weights = 'w'.repeat(100_000);
  const folder = await folderOf({ 'adapter_config.json': '{}', 'adapter.safetensors': weights });
  await pushToHub(folder, { repo: 'me/adapter', type: 'model', tag: 'first' }, { token: goodToken, hubUrl: hub.url });
  expect(hub.file('model', 'me/adapter', 'adapter.safetensors')).toBe(weights);
  expect(hub.asked.some((line) => line.startsWith('PUT /lfs/'))).toBe(true);
});

it('never says the token, and says what to do', async () => {
  const hub = await fakeHub();
  const folder = await folderOf({ 'data/train.jsonl': `${row('a')}\n` });
  const pushing = pushToHub(folder, { repo: 'me/set' }, { token: 'hf_wrong', hubUrl: hub.url });
  await expect(pushing).rejects.toMatchObject({ code: 'TM_AUTH', message: expect.stringContaining('HF_TOKEN') });
  await expect(pushing).rejects.not.toMatchObject({ message: expect.stringContaining('hf_wrong') });
  await expect(pushToHub(folder, { repo: 'me/set' }, { hubUrl: hub.url })).rejects.toMatchObject({ code: 'TM_AUTH' });
  await expect(pushToHub(folder, { repo: 'set' }, { token: goodToken })).rejects.toMatchObject({ code: 'TM_OPTIONS' });
  expect(hub.repo('dataset', 'me/set')).toBeUndefined();
});

it('a push that another one overtook is refused, and mixes nothing', async () => {
  const hub = await fakeHub();
  const access = { token: goodToken, hubUrl: hub.url };
  const folder = await folderOf({ 'data/train.jsonl': `${row('a')}\n` });
  await pushToHub(folder, { repo: 'me/set' }, access);
  hub.meanwhile(() => hub.repo('dataset', 'me/set')?.commits.push({ id: 'other', title: 'other', files: new Map() }));
  await expect(pushToHub(folder, { repo: 'me/set' }, access)).rejects.toMatchObject({
    code: 'TM_SINK',
    message: expect.stringContaining('push again'),
  });
  expect(hub.repo('dataset', 'me/set')?.commits.at(-1)?.title).toBe('other');
});

it('any split, file or revision of a set is imported', async () => {
  const hub = await fakeHub();
  const access = { token: goodToken, hubUrl: hub.url };
  const readme =
    '---\nconfigs:\n- config_name: default\n  data_files:\n  - {split: train, path: "data/part-*.jsonl"}\n  - {split: holdout, path: data/rest.jsonl}\n---\n';
  const folder = await folderOf({
    'README.md': readme,
    'data/part-0.jsonl': `${row('a')}\n`,
    'data/part-1.jsonl': `${row('b')}\n`,
    'data/rest.jsonl': `${row('c')}\n`,
  });
  await pushToHub(folder, { repo: 'me/set' }, access);
  await writeFile(join(folder, 'data/rest.jsonl'), `${row('d')}\n`);
  await pushToHub(folder, { repo: 'me/set' }, access);
  const idsAt = async (address: string, with_ = access) => {
    const ids: unknown[] = [];
    for await (const found of importFiles({ paths: [address] }, with_))
      if (found.kind === 'row') ids.push(found.row.rollout_id);
    return ids;
  };
  expect(await idsAt('hf://me/set#train')).toEqual(['a', 'b']);
  expect(await idsAt('hf://me/set#holdout')).toEqual(['d']);
  expect(await idsAt('hf://me/set@v1#holdout')).toEqual(['c']);
  expect(await idsAt('hf://datasets/me/set/data/part-1.jsonl')).toEqual(['b']);
  expect(await idsAt('hf://me/set')).toEqual(['a', 'b', 'd']);
  await expect(idsAt('hf://me/set#nope')).rejects.toMatchObject({ reason: 'not_found' });
  await expect(idsAt('hf://me/set', { token: '', hubUrl: hub.url })).rejects.toMatchObject({ code: 'TM_SOURCE' });
  await expect(idsAt('hf://set')).rejects.toMatchObject({ code: 'TM_OPTIONS' });
});

it('a folder with answer keys in it is not pushed', async () => {
  const hub = await fakeHub();
  const keys = {
    'data/train.jsonl': `${row('a')}\n`,
    'data/train.jsonl.privileged.jsonl': '{"reference":"the key"}\n',
  };
  const pushing = pushToHub(await folderOf(keys), { repo: 'me/set' }, { token: goodToken, hubUrl: hub.url });
  await expect(pushing).rejects.toMatchObject({ code: 'TM_OPTIONS', message: expect.stringContaining('never leave') });
  expect(hub.repo('dataset', 'me/set')).toBeUndefined();
});
