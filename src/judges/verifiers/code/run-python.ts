import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pythonHarness } from './python-harness.ts';

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
/** What kept the program in: the platform's namespaces, or its own limits. */
export type Isolation = 'none' | 'rlimits' | 'sandbox';
export interface Outcome {
  readonly status: 'passed' | 'failed' | 'timeout' | 'no_tests' | 'broken_tests' | 'unavailable';
  /** Name of a built-in exception. */
  readonly error?: string;
  /** What it wrote last to its error stream. */
  readonly stderr: string;
  readonly isolation: Isolation;
}

/** Run a candidate and its tests in a fresh Python process with an empty folder, and kill all of it at the limit. */
export async function runPython(program: Program, limits: CodeLimits, signal?: AbortSignal): Promise<Outcome> {
  const python = interpreter(limits.bin ?? 'python3');
  const isolation = isolationOf(limits.network);
  if (!python) return { status: 'unavailable', stderr: '', isolation };
  const folder = await mkdtemp(join(tmpdir(), 'tracemill-code-'));
  try {
    return await run(python, folder, program, limits, isolation, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const namespaces = [
  'unshare',
  '--user',
  '--map-root-user',
  '--net',
  '--ipc',
  '--pid',
  '--fork',
  '--kill-child=SIGKILL',
  '--',
];
let hasNamespaces: boolean | undefined;

/** The sandbox that runs here: namespaces of its own for users, processes and the network, where the kernel gives them. */
export function isolationOf(network: boolean): Isolation {
  hasNamespaces ??= spawnSync(namespaces[0] ?? '', [...namespaces.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
  return hasNamespaces && !network ? 'sandbox' : 'rlimits';
}

const interpreters = new Map<string, string | undefined>();

/** The interpreter itself: a shim would need an environment, and start twice. */
function interpreter(bin: string): string | undefined {
  if (!interpreters.has(bin)) {
    const asked = spawnSync(bin, ['-I', '-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
    interpreters.set(bin, asked.status === 0 ? asked.stdout.trim() : undefined);
  }
  return interpreters.get(bin);
}

function run(
  python: string,
  folder: string,
  program: Program,
  limits: CodeLimits,
  isolation: Isolation,
  signal?: AbortSignal,
): Promise<Outcome> {
  const token = randomBytes(24).toString('hex');
  const [command = python, ...args] = [
    ...(isolation === 'sandbox' ? namespaces : []),
    python,
    '-I',
    '-c',
    pythonHarness,
  ];
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const said = tail(child.stdio[4] as Readable, 4096);
  const stderr = tail(child.stderr as Readable, limits.maxOutputBytes);
  (child.stdout as Readable).resume();
  send(child.stdio[3] as Writable, { token, ...program, limits: wire(limits) });
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
      resolve({ ...verdict(code, said(), token, isLate), stderr: stderr(), isolation });
    };
    child.once('error', () => end(null));
    child.once('close', end);
  });
}

const wire = ({ cpuSeconds, memMb, network }: CodeLimits) => ({ cpu_seconds: cpuSeconds, mem_mb: memMb, network });

function verdict(code: number | null, said: string, token: string, isLate: boolean): Pick<Outcome, 'status' | 'error'> {
  if (isLate) return { status: 'timeout' };
  if (code === 0 && said === `done:${token}`) return { status: 'passed' };
  if (said === 'nothing') return { status: 'no_tests' };
  const [what, name] = said.split(':', 2);
  if (what === 'tests' && name) return { status: 'broken_tests', error: name };
  return { status: 'failed', error: what === 'error' && name && /^\w{1,40}$/.test(name) ? name : 'SystemExit' };
}

/** The last of a stream, as text; the rest is read and thrown away. */
function tail(stream: Readable, most: number): () => string {
  let kept = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]);
    if (kept.length > most) kept = kept.subarray(kept.length - most);
  });
  stream.on('error', () => {}); // the process is gone: what was read stands
  return () => kept.toString('utf8');
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
