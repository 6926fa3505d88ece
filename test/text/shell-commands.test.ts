import { expect, it } from 'vitest';
import { shellCommands } from '../../src/text/shell-commands.ts';

const short = (line: string) =>
  shellCommands(line).map(({ program, args, next }) => [program, ...args, next].join(' ').trim());

it.each([
  ['cd a && pytest -q || true', ['cd a &&', 'pytest -q ||', 'true']],
  ["grep -- '--no-verify && rm -rf /' README.md", ['grep -- --no-verify && rm -rf / README.md']],
  ['SKIP=lint sudo /usr/bin/git commit -m "a; b"', ['git commit -m a; b']],
  ['python3 -m pytest tests', ['pytest tests']],
  ['npx --yes vitest run | tee out.txt', ['vitest run |', 'tee out.txt']],
  ['a\nb; c &', ['a ;', 'b ;', 'c &']],
  ["echo 'unfinished", ['echo unfinished']],
  ['', []],
])('%j', (line, commands) => expect(short(line)).toEqual(commands));

it('sees the files that output is sent to, and not the numbers of streams', () => {
  const [command] = shellCommands('make test > out.txt 2>> "err log" 2>&1 < in.txt');
  expect(command).toMatchObject({ program: 'make', args: ['test'], written: ['out.txt', 'err log'] });
});

it('keeps what is set before a program', () => {
  expect(shellCommands('HUSKY=0 git push')[0]).toMatchObject({ assignments: ['HUSKY=0'], program: 'git' });
});

it('a long line of open quotes takes no long time', () => {
  shellCommands(`echo ${'"a\\'.repeat(20_000)}`);
});
