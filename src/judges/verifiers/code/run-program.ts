import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type Cage, cageEnv, type Isolation, type Protection } from './cage.ts';

export interface Program {
  readonly setup: string;
  readonly candidate: string;
  readonly tests: string;
}
export interface CodeLimits {
  readonly timeoutMs: number;
  readonly cpuSeconds: number;
  readonly memMb: number;
  readonly maxOutputBytes: number;
  readonly network: boolean;
  readonly bin?: string | undefined;
}
export interface Outcome {
  /** `not_run`: the candidate never began, for the cage, the interpreter or the machine. */
  readonly status: 'passed' | 'failed' | 'timeout' | 'no_tests' | 'broken_tests' | 'not_run';
  /** Name of a built-in exception. */
  readonly error?: string;
  /** What it wrote last to its error stream. */
  readonly stderr: string;
  readonly isolation: Isolation;
  readonly missing: readonly Protection[];
}

/**
 * Run a harness in a fresh process with an empty folder, and kill all of it at the limit. The harness reads its job as JSON
 * from descriptor 3 and says on descriptor 4 `ready:` before the candidate begins, then what failed, or the token of the job when
 * every test ran. Without `ready:` nothing was found out about the candidate.
 */
export async function runProgram(
  cage: Cage,
  harness: readonly string[],
  program: Program,
  limits: CodeLimits,
  signal?: AbortSignal,
): Promise<Outcome> {
  const token = randomBytes(24).toString('hex');
  const job = { token, ...program, limits: wire(limits) };
  const { code, said, stderr, isLate } = await runInCage(
    cage,
    harness,
    job,
    { ...limits, maxSaidBytes: maxSaid },
    signal,
  );
  const { isolation, missing } = cage;
  return { ...verdict(code, said, token, isLate), stderr, isolation, missing };
}

const maxSaid = 4096;
const ready = 'ready:';

interface RunLimits {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Of what it says on descriptor 4. */
  readonly maxSaidBytes: number;
}
interface Ended {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly said: string;
  readonly stderr: string;
  readonly isLate: boolean;
}

/** Run a command in a cage: its job goes to descriptor 3, what it says comes from descriptor 4. Nothing of it outlives this. */
export async function runInCage(
  cage: Cage,
  command: readonly string[],
  job: unknown,
  limits: RunLimits,
  signal?: AbortSignal,
): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-code-'));
  try {
    return await run(cage.wrap(folder, command), folder, job, limits, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(
  [command = '', ...args]: readonly string[],
  folder: string,
  job: unknown,
  limits: RunLimits,
  signal?: AbortSignal,
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd: folder,
    env: cageEnv,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  if (child.pid === undefined) return notStarted(child);
  const said = tail(child.stdio[4] as Readable, limits.maxSaidBytes);
  const stderr = tail(child.stderr as Readable, limits.maxOutputBytes);
  (child.stdout as Readable).resume();
  send(child.stdio[3] as Writable, job);
  return new Promise((resolve) => {
    let isLate = false;
    const stop = (): void => {
      isLate = true;
      killGroup(child);
    };
    const timer = setTimeout(stop, limits.timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    const end = (code: number | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      killGroup(child); // orphans of the group
      resolve({ code, said: said(), stderr: stderr(), isLate });
    };
    child.once('error', () => end(null));
    child.once('close', end);
  });
}

const wire = ({ cpuSeconds, memMb, network, maxOutputBytes }: CodeLimits) => ({
  cpu_seconds: cpuSeconds,
  mem_mb: memMb,
  max_output_bytes: maxOutputBytes,
  network,
});

/** No process was made: too many of them, too little memory, or no such program. It may have no streams, either. */
const notStarted = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: null, said: '', stderr: message, isLate: false }));
  });

function verdict(code: number | null, all: string, token: string, isLate: boolean): Pick<Outcome, 'status' | 'error'> {
  // who fills the channel has begun
  const isReady = all.startsWith(ready) || all.length >= maxSaid;
  const said = all.startsWith(ready) ? all.slice(ready.length) : all;
  if (!isReady && !/^(tests:|nothing$)/.test(said)) return { status: 'not_run' };
  if (isLate) return { status: 'timeout' };
  if (code === 0 && said === `done:${token}`) return { status: 'passed' };
  if (said === 'nothing') return { status: 'no_tests' };
  const [what, name] = said.split(':', 2);
  if (what === 'tests' && name) return { status: 'broken_tests', error: name };
  return { status: 'failed', error: what === 'error' && name && /^\w{1,40}$/.test(name) ? name : 'SystemExit' };
}

/** The last of a stream, as text; the rest is read and thrown away. */
function tail(stream: Readable, most: number): () => string {
  let [chunks, length] = [[] as Buffer[], 0];
  const joined = (): Buffer => {
    const all = Buffer.concat(chunks);
    return all.subarray(Math.max(0, all.length - most));
  };
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= 2 * most + 65_536) return;
    chunks = [joined()];
    length = chunks[0]?.length ?? 0;
  });
  stream.on('error', () => {}); // the process is gone: what was read stands
  return () => joined().toString('utf8');
}

function send(stream: Writable, job: unknown): void {
  stream.on('error', () => {}); // it ended before it read everything: its verdict says so
  stream.end(JSON.stringify(job));
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // the whole group has ended
  }
}
