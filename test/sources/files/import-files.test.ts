import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { lastValueFrom, mergeMap, toArray } from 'rxjs';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createFlow } from '../../../src/core/flow.ts';
import { openContent } from '../../../src/sources/files/content.ts';
import { filesSource, type Imported, importFiles } from '../../../src/sources/files/index.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  const made = folder;
  onTestFinished(() => rm(made, { recursive: true }));
});
const file = async (name: string, content: string | Uint8Array) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};
const all = async (...paths: string[]): Promise<Imported[]> => {
  const found: Imported[] = [];
  for await (const one of importFiles({ paths })) found.push(one);
  return found;
};
const rows = (found: readonly Imported[]) => found.flatMap((one) => (one.kind === 'row' ? [one.row] : []));
const reasons = (found: readonly Imported[]) => found.flatMap((one) => (one.kind === 'rejected' ? [one.reason] : []));
const chat = (text: string) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: text },
      { role: 'assistant', content: 'ok' },
    ],
  });

it('says where a row came from and counts the repeats of a task', async () => {
  const path = await file('chats.jsonl', `${chat('a')}\n${chat('a')}\n${chat('b')}\n`);
  const [first, second, third] = rows(await all(path));
  expect(first).toMatchObject({ schema_version: '1', prompt: 'a', source_file: 'chats.jsonl', rollout_index: 0 });
  expect(first?.['lineage']).toEqual({ source: 'messages', source_file: 'chats.jsonl', record: 0 });
  expect(second).toMatchObject({ scenario_id: first?.scenario_id, rollout_index: 1 });
  expect(second?.rollout_id).not.toBe(first?.rollout_id);
  expect(third?.scenario_id).not.toBe(first?.scenario_id);
});

it('gives the same ids to the same file under another name, zipped or not, as lines or as an array', async () => {
  const ids = (found: readonly Imported[]) => rows(found).map((row) => row.rollout_id);
  const plain = await file('one.jsonl', `${chat('a')}\n${chat('b')}\n`);
  const zipped = await file('two.gz', gzipSync(`${chat('a')}\r\n\n${chat('b')}`));
  const list = await file('three.json', `[\n${chat('a')},\n${chat('b')}\n]`);
  expect(ids(await all(plain))).toHaveLength(2);
  expect(ids(await all(zipped))).toEqual(ids(await all(plain)));
  expect(ids(await all(list))).toEqual(ids(await all(plain)));
});

it('loses no good record to a bad one, and counts the bad ones', async () => {
  const bad = Buffer.from([0x7b, 0xff, 0x0a]);
  const lines = Buffer.concat([Buffer.from(`nope\n${chat('a')}\n`), bad, Buffer.from(`{"other":1}\n${chat('b')}\n`)]);
  const found = await all(await file('chats.jsonl', lines));
  expect(rows(found).map((row) => row.prompt)).toEqual(['a', 'b']);
  expect(reasons(found)).toEqual(['invalid_json', 'invalid_utf8', 'invalid_record']);
});

it('reads each record of a file of several formats as what it is, and names what it was read as', async () => {
  const gpt = '{"conversations":[{"from":"human","value":"g"},{"from":"gpt","value":"x"}]}';
  const alpaca = '{"instruction":"i","input":"","output":"x"}';
  const span = (id: string, name: string) =>
    `{"name":"chat","traceId":"${id}","spanId":"${id}","attributes":{"gen_ai.operation.name":"chat","gen_ai.prompt":"${name}"}}`;
  const shuffled = [gpt, chat('a'), '{"other":1}', alpaca, '', span('s', 's'), chat('b'), span('t', 't'), gpt];
  for (const first of [gpt, chat('z'), span('q', 'q')]) {
    const found = await all(await file('mixed.jsonl', [first, ...shuffled].join('\n')));
    const sources = rows(found).map(({ prompt, lineage }) => [prompt, lineage?.['source']]);
    expect(sources).toEqual(
      expect.arrayContaining([
        ...[
          ['g', 'sharegpt'],
          ['a', 'messages'],
          ['b', 'messages'],
          ['i', 'alpaca'],
        ],
        ...[
          ['s', 'spans'],
          ['t', 'spans'],
        ],
      ]),
    );
    expect(sources).toHaveLength(8);
  }
  const odd = await all(await file('odd.jsonl', `${gpt}\n\n{"other":1}\n{"conversations":[]}\nnope\n`));
  expect(odd.slice(1)).toMatchObject([
    { reason: 'invalid_record', line: 3, tried: ['sharegpt'], record: { other: 1 } },
    { reason: 'empty_conversation', line: 4, tried: ['sharegpt'] },
    { reason: 'invalid_json', line: 5 },
  ]);
  const path = await file('forced.jsonl', `${chat('a')}\n${gpt}\n`);
  const forced: Imported[] = [];
  for await (const one of importFiles({ paths: [path], format: 'messages' })) forced.push(one);
  expect(forced).toMatchObject([{ kind: 'row' }, { reason: 'invalid_record', line: 2, tried: ['messages'] }]);
});

it('lists the known formats once when the content is of none', async () => {
  const error: unknown = await all(await file('other.json', '{"hello": "world"}')).catch((cause: unknown) => cause);
  expect(String(error).split('known formats are')).toHaveLength(2);
  expect(error).toMatchObject({ reason: 'unknown_format' });
  expect((error as Error).cause).toBeUndefined();
});

it('reads NaN as absent and says how often, and keeps a line separator inside a text', async () => {
  const line = `{"prompt":"p NaN\u2028q","steps":[],"final_text":"x","reward":NaN,"score":-Infinity}`;
  const [row] = rows(await all(await file('rows.jsonl', `${line}\n${line}\n`)));
  expect(row).toMatchObject({ prompt: 'p NaN\u2028q', score: null, lineage: { not_numbers: 2 } });
  expect(row?.reward ?? null).toBeNull();
});

it.each([
  ['empty_file', 'empty.jsonl', ''],
  ['empty_file', 'blank.json', ' \n\n'],
  ['not_json', 'cut.json', '{"messages": [{"role": "user"'],
  ['unknown_format', 'noise.bin', Uint8Array.of(0, 255, 254, 1, 2, 3)],
  ['unknown_format', 'other.json', '{"hello": "world"}'],
  ['unreadable', 'broken.gz', Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)],
])('says %s for the file %s', async (reason, name, content) => {
  await expect(all(await file(name, content))).rejects.toMatchObject({ code: 'TM_SOURCE', reason });
});

it('says what is missing: a file, files in a folder, a format', async () => {
  await expect(all(join(folder, 'none.json'))).rejects.toMatchObject({ code: 'TM_SOURCE', reason: 'not_found' });
  await expect(all(folder)).rejects.toMatchObject({ code: 'TM_SOURCE', reason: 'no_files' });
  await expect(all(join(folder, '*.json'))).rejects.toMatchObject({ code: 'TM_SOURCE', reason: 'no_files' });
  const wrong = importFiles({ paths: [await file('a.jsonl', chat('a'))], format: 'nope' }).next();
  await expect(wrong).rejects.toThrow(/format: nope is unknown; known formats are otlp, spans/);
});

it('a file in which nothing is found is a document of its format, and a rejection of one that was forced on it', async () => {
  const web = { traceId: 'a', spanId: 'b', name: 'GET', attributes: { 'http.method': 'GET' } };
  expect((await all(await file('web.json', JSON.stringify([web])))).map(({ kind }) => kind)).toEqual(['document']);
  const wrong: Imported[] = [];
  for await (const one of importFiles({ paths: [await file('a.jsonl', chat('a'))], format: 'otlp' })) wrong.push(one);
  expect(reasons(wrong)).toEqual(['empty_conversation']);
});

it('reads folders and globs by name, passes readmes over and counts what it cannot read', async () => {
  await mkdir(join(folder, 'deep', 'er'), { recursive: true });
  await file('b.jsonl', chat('b'));
  await file('a.jsonl', chat('a'));
  await file(join('deep', 'er', 'c.jsonl'), chat('c'));
  await file('README.md', '# Read me');
  await file('z.json', '{"hello":"world"}');
  const found = await all(folder);
  expect(rows(found).map((row) => row.prompt)).toEqual(['a', 'b', 'c']);
  expect(reasons(found)).toEqual(['unknown_format']);
  expect(rows(await all(join(folder, '**', '*.jsonl'))).map((row) => row.prompt)).toEqual(['a', 'b', 'c']);
  expect(rows(await all(join(folder, '?.json*'))).map((row) => row.prompt)).toEqual(['a', 'b']);
});

it('feeds a pipeline: rows come through, the rest is rejected or counted', async () => {
  const path = await file('mixed.jsonl', `${chat('a')}\nnope\n`);
  const table = await file('table.json', '[{"task_id":1,"trial":0,"reward":1.0}]');
  const said: string[] = [];
  const context = {
    reject: (_row: unknown, by: string, reason: string) => said.push(`${by} ${reason}`),
    count: (by: string, what: string) => said.push(`${by} ${what}`),
    tally: () => ({ in: 0, out: 0, inFlight: 0 }),
  };
  const source = filesSource({ paths: [path, table] })({ flow: createFlow(9), context });
  const got = await lastValueFrom(
    source.pipe(
      mergeMap(({ rows: stream }) => stream),
      toArray(),
    ),
  );
  expect(got.map(({ row }) => row.prompt)).toEqual(['a']);
  expect(said).toEqual(['files invalid_json', 'files label']);
});

it('a notes.txt in a folder is no policy of its rows; a policy.md is, and so is a text that is named or alone', async () => {
  await file('rows.jsonl', `${chat('Where is it?')}\n`);
  const notes = await file('notes.txt', 'Buy milk.\n');
  const kinds = (found: readonly Imported[]) => found.map((one) => (one.kind === 'rejected' ? one.reason : one.kind));
  expect(kinds(await all(folder))).toEqual(['unnamed_text', 'row']);
  expect(kinds(await all(notes))).toEqual(['policy']);
  expect(kinds(await all(join(folder, '*.txt')))).toEqual(['policy']);
  const forced: Imported[] = [];
  for await (const one of importFiles({ paths: [join(folder, '*.txt')], format: 'text' })) forced.push(one);
  expect(kinds(forced)).toEqual(['policy']);
  await file('Support Policy.md', 'Be kind.\n');
  await file('system_prompt.txt', 'Be brief.\n');
  expect(kinds(await all(folder))).toEqual(['policy', 'unnamed_text', 'row', 'policy']);
});

const mib = 1024 * 1024;
const large = (found: readonly Imported[]) =>
  found.flatMap((one) => (one.kind === 'rejected' && one.reason === 'too_large' ? [JSON.stringify(one)] : []));

it('a line that unpacks to more than may be held is one rejection with file, line and bound, and the others are read', async () => {
  const bomb = `{"messages":[{"role":"user","content":"${'a'.repeat(65 * mib)}"}]}`;
  const path = await file('bomb.jsonl.gz', gzipSync(`${chat('a')}\n\n${bomb}\n${chat('b')}\n`, { level: 1 }));
  const found = await all(path, await file('next.jsonl', chat('c')));
  expect(rows(found).map((row) => row.prompt)).toEqual(['a', 'b', 'c']);
  expect(large(found)).toEqual([
    expect.stringMatching(/bomb\.jsonl\.gz: line 3 has more than 67108864 bytes.*"line":3/),
  ]);
});

it('a document that unpacks to more than may be held is one rejection, and the next file is read', async () => {
  const part = gzipSync(Buffer.alloc(64 * mib, '{},'), { level: 1 }); // gzip files one after the other are one
  const path = await file('bomb.json.gz', Buffer.concat([gzipSync('['), part, part, part, part, part]));
  const found = await all(path, await file('next.jsonl', chat('c')));
  expect(rows(found).map((row) => row.prompt)).toEqual(['c']);
  expect(large(found)).toEqual([expect.stringMatching(/bomb\.json\.gz: line 1 has more than 268435456 bytes/)]);
});

it.each([
  ['blank lines', '\n'.repeat(5000)],
  ['a document of many lines', `[\n${'{},\n'.repeat(2000)}{}]`],
])('holds no more of %s than a document may have', async (_what, text) => {
  const bounds = { document: 4000, line: 1000 };
  const opened = openContent(await file('large.json', text), bounds);
  await expect(opened).rejects.toMatchObject({ code: 'TM_SOURCE', reason: 'too_large' });
});

it('a first line may be as large as a document where it is one, and as a line where others follow', async () => {
  const bounds = { document: 4000, line: 1000 };
  const long = chat('a'.repeat(2000));
  expect((await openContent(await file('one.json', long), bounds)).container).toBe('object');
  const { container, values } = await openContent(await file('more.jsonl', `${long}\n${chat('b')}\n`), bounds);
  const kinds: string[] = [];
  for await (const value of values) kinds.push('broken' in value ? value.reason : 'value');
  expect([container, ...kinds]).toEqual(['lines', 'too_large', 'value']);
});

it('an entry of a log that unpacks to more than may be held is one rejection, and the other samples are read', async () => {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  const sample = { id: 1, epoch: 1, messages: JSON.parse(chat('a')).messages };
  const zip = zipSync({
    'header.json': json({ eval: { task: 't', model: 'm' }, status: 'success', version: 2 }),
    'samples/1_epoch_1.json': json(sample),
    'samples/2_epoch_1.json': new Uint8Array(65 * mib),
  });
  const found = await all(await file('log.eval', zip));
  expect(rows(found).map((row) => row.prompt)).toEqual(['a']);
  expect(large(found)).toEqual([expect.stringMatching(/2_epoch_1\.json has more than 67108864 bytes.*log\.eval/)]);
});

it('a link in a folder that leads nowhere, or to itself, is one rejection that names it, and the rest is read', async () => {
  await file('ok.jsonl', chat('a'));
  await symlink('gone', join(folder, 'dangling.jsonl'));
  await symlink('self', join(folder, 'self'));
  const found = await all(folder);
  expect(rows(found).map((row) => row.prompt)).toEqual(['a']);
  expect(found.flatMap((one) => (one.kind === 'rejected' ? [one.file] : []))).toEqual([
    join(folder, 'dangling.jsonl'),
    join(folder, 'self'),
  ]);
});

it('a gzip in a folder that ends too early is one rejection, and the next file is read', async () => {
  await file('a.jsonl.gz', gzipSync(`${chat('a')}\n`.repeat(200)).subarray(0, -10));
  await file('b.jsonl', chat('b'));
  const found = await all(folder);
  expect(rows(found).at(-1)?.prompt).toBe('b');
  expect(reasons(found)).toEqual(['unreadable']);
});

it('says of a file in UTF-16 that it is one', async () => {
  const path = await file('utf16.jsonl', Buffer.from(`\ufeff${chat('a')}\n`, 'utf16le'));
  await expect(all(path)).rejects.toThrow(/utf16\.jsonl: the file is in UTF-16; it must be in UTF-8/);
});
