import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fileFormats } from '../../src/dialects/formats/index.ts';

it('lists every file format, in the order they are asked', async () => {
  const page = await readFile('docs/importing.md', 'utf8');
  const listed = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name);
  expect(listed).toEqual(fileFormats.map(({ name }) => name));
});
