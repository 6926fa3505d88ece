import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportDataset, trainingSet } from '../../src/sinks/training-set.ts';

const row = (n: number, more: object = {}) => ({
  rollout_id: `r${n}`,
  prompt: 'Where is order 7?',
  steps: [{ tool: 'get_order', arguments: { id: n }, result: { status: 'shipped' } }],
  final_text: `It shipped, ${n}.\u2028And more.`,
  reward: 1,
  ...more,
});
const folder = () => mkdtemp(join(tmpdir(), 'training-set-'));
const linesOf = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('writes a file whole, at the end, each rollout once however often it came', async () => {
  const home = await folder();
  const path = join(home, 'set.jsonl');
  const sink = trainingSet({ path, systemPrompt: 'S' });
  await sink.write([row(1), row(2)]);
  await sink.write([row(2), row(3)]);
  expect(await readdir(home)).toEqual(['set.jsonl.part']);
  await sink.finish?.();
  await sink.close();
  expect(await readdir(home)).toEqual(['set.jsonl']);
  const lines = await linesOf(path);
  expect(lines.map(({ k, n1 }) => [k, n1])).toEqual([
    [3, 3],
    [3, 3],
    [3, 3],
  ]);
  expect(lines[0]).toMatchObject({
    reward_mean: 1,
    messages: [{ role: 'system' }, {}, {}, {}, { content: row(1).final_text }],
  });
  expect(sink.report()).toMatchObject({ n: 3, groups: 1, path, note_codes: ['no_tools'], warning_codes: [] });
});

it('leaves the old file as it was when the new one is refused, and nothing behind', async () => {
  const home = await folder();
  const path = join(home, 'set.jsonl');
  await writeFile(path, 'old\n');
  const bad = [row(1, { steps: [{ tool: 't', arguments_raw: '{"a":', result: '' }] })];
  await expect(exportDataset(bad, path)).rejects.toMatchObject({ code: 'TM_TOOL_CALL_ROUNDTRIP' });
  expect(await readFile(path, 'utf8')).toBe('old\n');
  expect(await readdir(home)).toEqual(['set.jsonl']);
});

it('keeps answer keys out of the file and out of what lies beside it meanwhile', async () => {
  const home = await folder();
  const path = join(home, 'set.jsonl');
  const sink = trainingSet({ path });
  await sink.write([
    row(1, { privileged: { reference: 'the golden answer key' }, reference: 'the golden answer key' }),
  ]);
  expect(await readFile(`${path}.part`, 'utf8')).not.toContain('golden');
  await sink.close();
});

it('writes no file for no rows', async () => {
  const home = await folder();
  expect(await exportDataset([], join(home, 'set.jsonl'))).toMatchObject({ n: 0, path: null });
  expect(await readdir(home)).toEqual([]);
});

it('leaves out rows that were cut at their source, says so, and takes them when asked', async () => {
  const path = join(await folder(), 'set.jsonl');
  const rows = [row(1), row(2, { is_cut: true })];
  expect(await exportDataset(rows, path)).toMatchObject({ n: 1, cut_rows_dropped: 1 });
  expect(await exportDataset(rows, path, { keepCut: true })).toMatchObject({ n: 2, cut_rows_dropped: 0 });
});

it('warns of arguments of several shapes, which older loaders fill up with nulls', async () => {
  const path = join(await folder(), 'set.jsonl');
  const rows = [row(1), row(2, { steps: [{ tool: 'other', arguments: { name: 'x' }, result: '' }] })];
  expect(await exportDataset(rows, path, { format: 'trl' })).toMatchObject({
    warning_codes: ['mixed_argument_shapes'],
  });
  expect(await exportDataset(rows, path)).toMatchObject({ warning_codes: [] });
  const tools = [{ type: 'function', function: { name: 'get_order' } }];
  await exportDataset(rows, path, { format: 'trl', toolsEncoding: 'json', tools });
  expect((await linesOf(path)).map((line) => line['tools'])).toEqual([JSON.stringify(tools), JSON.stringify(tools)]);
});

it('says which trouble the disk had, and can be tried again without counting twice', async () => {
  const home = await folder();
  const path = join(home, 'missing', 'set.jsonl');
  const sink = trainingSet({ path });
  const rows = [row(1)];
  await expect(sink.write(rows)).rejects.toMatchObject({ code: 'TM_SINK', retriable: false });
  await mkdir(join(home, 'missing'));
  await sink.write(rows);
  await sink.finish?.();
  expect(sink.report()).toMatchObject({ n: 1, path });
});
