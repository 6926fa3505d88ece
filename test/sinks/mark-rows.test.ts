import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markRows } from '../../src/sinks/mark-rows.ts';
import { freshFolder } from '../folder.ts';

it('rows behind a link are marked, and the link stays a link', async () => {
  const folder = await freshFolder();
  const [real, link] = [join(folder, 'store', 'rows.jsonl'), join(folder, 'rows.jsonl')];
  await mkdir(join(folder, 'store'));
  await writeFile(real, '{"rollout_id":"a"}\n{"rollout_id":"b"}\n');
  await symlink(real, link);
  await markRows(link, ({ rollout_id }) => rollout_id === 'b', { group_cut: true });
  expect(await readFile(real, 'utf8')).toBe('{"rollout_id":"a"}\n{"rollout_id":"b","group_cut":true}\n');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readdir(join(folder, 'store'))).toEqual(['rows.jsonl']);
});
