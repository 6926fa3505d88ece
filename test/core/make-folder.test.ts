import { mkdtemp, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../src/core/make-folder.ts';

const fresh = () => mkdtemp(join(tmpdir(), 'tracemill-folder-'));

it('makes a folder and those above it, and leaves one that is there', async () => {
  const place = join(await fresh(), 'a', 'b', 'c');
  await Promise.all([makeFolder(place), makeFolder(place), makeFolder(join(place, 'd'))]);
  await makeFolder(place);
  expect((await stat(join(place, 'd'))).isDirectory()).toBe(true);
});

it('makes folders in folders that another makes in the same moment', async () => {
  const place = await fresh();
  for (let n = 0; n < 100; n++) {
    const deep = join(place, `${n}`, 'b', 'c');
    await Promise.all([makeFolder(join(deep, 'd')), makeFolder(deep), makeFolder(join(deep, 'e')), makeFolder(deep)]);
  }
});

it('says what is wrong with one that cannot be made, and never tries for ever', async () => {
  await expect(makeFolder('/proc/tracemill/a/b')).rejects.toMatchObject({ code: 'ENOENT' });
  const folder = await fresh();
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'nowhere'), join(folder, 'link'));
  await expect(makeFolder(join(folder, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'link'))).rejects.toMatchObject({ code: 'EEXIST' });
  await makeFolder(join(folder, 'private'), 0o700);
  expect((await stat(join(folder, 'private'))).mode & 0o777).toBe(0o700);
});
