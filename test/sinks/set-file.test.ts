import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wellFormedJson } from '../../src/core/well-formed-json.ts';
import type { Row } from '../../src/rows/row.ts';
import { decisionLog } from '../../src/sinks/decision-log.ts';
import { openSet } from '../../src/sinks/open-set.ts';
import { writeSet } from '../../src/sinks/set-file.ts';
import { freshFolder } from '../folder.ts';

const row = (id: string, final_text = `answer of ${id}`): Row =>
  ({ schema_version: '1', rollout_id: id, scenario_id: id, prompt: 'Where is it?', steps: [], final_text }) as Row;

it.each(['jsonl', 'parquet'])('two exports to one %s path at once leave the lines of one of them', async (end) => {
  const folder = await freshFolder();
  const path = join(folder, `train.${end}`);
  const [first, second] = [openSet('rows', path, {}), openSet('rows', path, {})];
  await first.write([row('a'), row('b')]);
  await second.write([row('c')]);
  await expect(first.finish?.()).rejects.toThrow('another run writes it at the same time');
  await first.close();
  await second.finish?.();
  await second.close();
  expect(second.report()).toMatchObject({ n_written: 1 });
  expect(await readdir(folder)).toEqual([`train.${end}`]);
  if (end === 'jsonl') expect(JSON.parse(await readFile(path, 'utf8')).rollout_id).toBe('c');
});

it('two logs of decisions at one path do not mix', async () => {
  const path = join(await freshFolder(), 'train.decisions.jsonl');
  const [first, second] = [decisionLog(path), decisionLog(path)];
  await first.add([]);
  await second.add([]);
  await expect(first.finish()).rejects.toThrow('another run writes it');
  await second.finish();
});

it('half a character does not keep a set from loading, and the set says that it is gone', async () => {
  const path = join(await freshFolder(), 'train.jsonl');
  const half = '\ud83d cut, \\ud800 spelled out, 👍 whole';
  const report = await writeSet(openSet('openai', path, {}), [row('a', half), row('b')]);
  const text = await readFile(path, 'utf8');
  expect(JSON.parse(text.split('\n')[0] ?? '').messages.at(-1).content).toBe(
    '\ufffd cut, \\ud800 spelled out, 👍 whole',
  );
  expect(report.warnings?.at(-1)).toContain('1 lines held half a character');
});

it.each(['plain', '\\ud800', '\\\\ud800', 'a\\', '\ud800\udc00', '"\n\t\\u0041'])(
  'whole text %j is left as it is',
  (text) => expect(wellFormedJson(JSON.stringify(text))).toBe(JSON.stringify(text)),
);
