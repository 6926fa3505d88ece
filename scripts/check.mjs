import { spawnSync } from 'node:child_process';

/** Lint, types, layer rules and all tests, one after the other; the first that fails ends it. With CI set, coverage counts too. */
const inCi = Boolean(process.env.CI);
const tests = inCi
  ? ['vitest', 'run', '--coverage', '--reporter=default', '--reporter=json', '--outputFile.json=coverage/tests.json']
  : ['vitest', 'run'];
for (const command of [['biome', 'check', '.'], ['tsc'], ['depcruise', 'src'], tests]) {
  process.stderr.write(`\n> ${command.join(' ')}\n`);
  const { status } = spawnSync('npx', ['--no-install', ...command], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
