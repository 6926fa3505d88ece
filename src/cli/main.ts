#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { cli } from './cli.ts';
import { commands } from './commands/index.ts';
import { exits, type Io } from './io.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.stderr.write('\nStopping: what moves is finished first. Once more to stop at once.\n');
    stop.abort();
  });
process.on('unhandledRejection', (error) => {
  process.stderr.write(`A promise of an agent or a judge failed and nobody waited for it: ${String(error)}\n`);
  process.exit(exits.worldFailed);
});
// a reader that has seen enough (`| head`) is no fault
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 3));

const io: Io = {
  out: (text) => void process.stdout.write(text),
  say: (line) => void process.stderr.write(`${line}\n`),
  isTerminal: process.stderr.isTTY === true,
  stop: stop.signal,
};
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
process.exitCode = await cli(commands, version, process.argv.slice(2), io);
