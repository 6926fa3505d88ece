import { createHash } from 'node:crypto';
import { readlink, realpath, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { TracemillError } from '../core/errors.ts';

/**
 * Claim a file for this process: another that claims it on this machine is refused until the claim is given back or this
 * process is gone, however it went. The claim is a socket that nobody talks to: a process id in a file would be left after
 * a kill, and may by then be that of another process. Where no socket can be had the file is not guarded.
 *
 * @returns a function that gives the claim back
 * @throws TM_SINK - `in_use`: another process holds it
 */
export async function claimFile(path: string): Promise<() => Promise<void>> {
  const place = createHash('sha256')
    .update(await placeOf(path))
    .digest('hex');
  const address = addressOf(`tracemill-${place.slice(0, 24)}`);
  let server = await bound(address);
  if (server === 'taken' && address.endsWith('.sock') && !(await isAnswered(address))) {
    await rm(address, { force: true }); // left by a process that was killed
    server = await bound(address);
  }
  if (server === 'taken')
    throw new TracemillError('TM_SINK', `${path}: another process writes to it`, { reason: 'in_use' });
  return () => new Promise((resolve) => (server ? server.close(() => resolve()) : resolve()));
}

/** Where the file is, or will be, whatever links lead there. */
async function placeOf(path: string, hops = 40): Promise<string> {
  const there = await realpath(path).catch(() => undefined);
  if (there !== undefined) return there;
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const target = await readlink(path).catch(() => undefined); // a link to what is not there yet
  return target === undefined || hops === 0 ? join(folder, basename(path)) : placeOf(resolve(folder, target), hops - 1);
}

/** Names of the system vanish with their process; elsewhere it is a file. */
function addressOf(name: string): string {
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function bound(address: string): Promise<Server | 'taken' | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? 'taken' : undefined));
    server.listen(address, () => resolve(server));
  });
}

function isAnswered(address: string): Promise<boolean> {
  const socket = connect(address);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
