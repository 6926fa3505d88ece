import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { freshFolder } from '../folder.ts';
import { testIo } from './test-io.ts';

/** The commands, and a folder of each test's own for their files. Call it once in a test file. */
export function inFolder() {
  let folder = '';
  beforeEach(async () => {
    folder = await freshFolder();
  });
  const at = (name: string) => join(folder, name);
  return {
    /** Path of a file there; of `''` that of the folder. */
    at,
    async call(...argv: string[]) {
      const { io, out, said } = testIo();
      return { exit: await cli(commands, '0', argv, io), out: out(), said: said() };
    },
    linesOf: async (name: string) =>
      (await readFile(at(name), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    write: (name: string, rows: readonly object[]) =>
      writeFile(at(name), rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  };
}
