import { expect, it } from 'vitest';
import { z } from 'zod';
import { cli } from '../../src/cli/cli.ts';
import { defineCommand } from '../../src/cli/command.ts';
import { exits } from '../../src/cli/io.ts';
import { table } from '../../src/cli/table.ts';
import { TracemillError } from '../../src/core/errors.ts';
import { testIo } from './test-io.ts';

const weigh = defineCommand({
  name: 'weigh',
  args: '<file...>',
  summary: 'Weigh files.',
  options: z.strictObject({
    minGrams: z.number().min(0).default(5).describe('Least weight, in grams.'),
    scale: z.enum(['kitchen', 'truck']).optional().describe('Which scale.'),
    by: z.array(z.string()).optional().describe('Fields.'),
    json: z.boolean().default(false).describe('Write JSON.'),
  }),
  examples: ['tracemill weigh a.jsonl --min-grams 3'],
  async run(files, options, io) {
    if (files.includes('broken')) throw new Error('a bug');
    if (files.includes('locked'))
      throw Object.assign(new Error('EACCES: permission denied, scandir'), { code: 'EACCES', path: 'locked' });
    if (files.includes('gone'))
      throw new TracemillError('TM_SOURCE', 'gone cannot be read', { cause: new Error('ENOENT') });
    io.out(JSON.stringify({ files, ...options }));
    return files.includes('heavy') ? exits.gateSaidNo : exits.done;
  },
});
async function call(...argv: string[]) {
  const { io, out, said } = testIo();
  return { exit: await cli([weigh], '1.2.3', argv, io), out: out(), said: said() };
}

it('reads flags as the schema says, numbers as numbers, lists as lists', async () => {
  const { exit, out } = await call(
    'weigh',
    'a',
    'b',
    '--min-grams',
    '3',
    '--scale',
    'truck',
    '--by',
    'x',
    'y',
    '--json',
  );
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toEqual({ files: ['a', 'b'], minGrams: 3, scale: 'truck', by: ['x', 'y'], json: true });
  expect(JSON.parse((await call('weigh', 'a')).out)).toEqual({ files: ['a'], minGrams: 5, json: false });
});

it.each([
  ['a value out of range', ['weigh', 'a', '--min-grams', '-1'], /weigh: --min-grams: .*>=0/],
  ['a word for a number', ['weigh', 'a', '--min-grams', 'many'], /--min-grams: .*number/],
  ['a word that is no choice', ['weigh', 'a', '--scale', 'moon'], /--scale: .*kitchen/],
  ['an unknown option', ['weigh', 'a', '--min-grms', '3'], /unknown option '--min-grms'[\s\S]*--min-grams/],
  ['no file', ['weigh'], /missing required argument 'file'/],
  ['an unknown command', ['wiegh'], /unknown command 'wiegh'[\s\S]*weigh/],
])('%s is a wrong call, said in words', async (_name, argv, words) => {
  const { exit, out, said } = await call(...argv);
  expect([exit, out]).toEqual([exits.wrongCall, '']);
  expect(said).toMatch(words);
  expect(said).not.toMatch(/at .*\.ts:/);
});

it('a source that fails is the world, with its cause; a fault of ours shows no stack', async () => {
  expect(await call('weigh', 'gone')).toEqual({
    exit: exits.worldFailed,
    out: '',
    said: 'TM_SOURCE: gone cannot be read: ENOENT',
  });
  const { exit, said } = await call('weigh', 'broken');
  expect(exit).toBe(exits.worldFailed);
  expect(said).toMatch(/a bug[\s\S]*TRACEMILL_DEBUG/);
  expect(said).not.toMatch(/cli\.test\.ts/);
});

it('a place that may not be read is no fault of the command', async () => {
  const { exit, said } = await call('weigh', 'locked');
  expect([exit, said]).toEqual([3, 'locked: it may not be read or written: EACCES: permission denied, scandir']);
});

it('passes on what a gate said, and help and version end well', async () => {
  expect((await call('weigh', 'heavy')).exit).toBe(exits.gateSaidNo);
  expect(await call('--version')).toEqual({ exit: 0, out: '1.2.3\n', said: '' });
  const { exit, out } = await call('weigh', '--help');
  expect(exit).toBe(0);
  expect(out).toContain('--min-grams <n>');
  expect(out.replace(/\s+/g, ' ')).toContain('Least weight, in grams. (default: 5)');
  expect(out).toContain('$ tracemill weigh a.jsonl --min-grams 3');
});

it('aligns a table, numbers to the right', () => {
  const rows = [
    ['a', '0.5'],
    ['long name', '12'],
  ];
  expect(table(['task', 'pass@1'], rows)).toBe(
    ['task       pass@1', '---------  ------', 'a             0.5', 'long name      12'].join('\n'),
  );
});
