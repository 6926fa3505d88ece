import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as tracemill from '../../src/index.ts';

const page = await readFile('docs/traces.md', 'utf8');
const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');

it('the code of the page prints what the page says', async () => {
  expect(blocks).toHaveLength(1);
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<void>;
  for (const block of blocks) {
    const said: string[] = [];
    const code = block.replace(/^import \{(.*)\} from 'tracemill';$/m, 'const {$1} = tracemill;');
    await new AsyncFunction('tracemill', 'console', code)(tracemill, {
      log: (...words: unknown[]) => said.push(words.join(' ')),
    });
    expect(said).toEqual([...block.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, words]) => words));
  }
});

it('the page explains each list of behaviorsSince', () => {
  const lists = Object.entries(tracemill.behaviorsSince([])).filter(([, value]) => Array.isArray(value));
  const told = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, word]) => word);
  expect(told).toEqual(lists.map(([name]) => name).filter((name) => !name.startsWith('note')));
});
