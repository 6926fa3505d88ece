#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { cli } from './cli.ts';
import { commands } from './commands/index.ts';
import { exits, type Io } from './io.ts';

const leaveMs = 3000;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.stderr.write('\nStopping: what moves is finished first. Once more to stop at once.\n');
    stop.abort();
  });
// code of a user's agent or judge runs in this process: whatever it does, the exit code tells that the run did not end
let isDone = false;
const broken = (what: string) => (error: unknown) => {
  process.stderr.write(`${what}: ${String(error)}. What is written so far stands in files that end in .partial.\n`);
  process.exit(exits.worldFailed);
};
process.on('unhandledRejection', broken('A promise of an agent or a judge failed and nobody waited for it'));
process.on('uncaughtException', broken('An agent or a judge failed outside of its call'));
process.on('exit', (code) => {
  if (isDone || code !== 0) return;
  process.stderr.write(
    'Something ended the process before the command was done: an agent or a judge that calls process.exit?\n',
  );
  process.exitCode = exits.worldFailed;
});
// a reader that has seen enough (`| head`) is no fault
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  isDone = true;
  process.exit(error.code === 'EPIPE' ? exits.done : exits.worldFailed);
});

const io: Io = {
  out: (text) => void process.stdout.write(text),
  say: (line) => void process.stderr.write(`${line}\n`),
  lines: () => createInterface({ input: process.stdin }),
  isTerminal: process.stderr.isTTY === true,
  stop: stop.signal,
  self: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
  report: (counts) =>
    new Promise((resolve) => {
      if (process.connected)
        process.send?.(counts, () => resolve()); // a supervisor that is gone needs nothing
      else resolve();
    }),
};
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
if (process.channel) {
  process.once('disconnect', () => stop.abort()); // a worker whose supervisor is gone
  process.channel.unref();
}
process.exitCode = await cli(commands, version, process.argv.slice(2), io);
isDone = true;
setTimeout(() => process.exit(), leaveMs).unref(); // a client may still try to reach a broker that is away
