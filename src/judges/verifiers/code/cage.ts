import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { lstatSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What kept a program in: namespaces for processes, files and the network; or only the limits of its process. */
export type Isolation = 'none' | 'rlimits' | 'sandbox';
/** What a platform may be unable to keep a program from: other processes, files outside its folder, the network. */
export type Protection = 'processes' | 'files' | 'network';

export interface Cage {
  readonly isolation: Isolation;
  readonly missing: readonly Protection[];
  /** The command line that runs a program in it. `folder` is empty, and where it starts. */
  wrap(folder: string, command: readonly string[]): string[];
}

/** A program that is to be kept in. */
export interface Inmate {
  /** A short run of it, which tells whether it starts in a cage. */
  readonly probe: readonly string[];
  /** Folders that it reads, besides the libraries and programs of the system. */
  readonly sees: readonly string[];
}

const cages = new Map<string, Cage>();

/**
 * Find the strongest cage that this platform has for a program; asked until one is found for each program. With mount namespaces it sees a
 * read-only root of a few folders, no `/proc`, and one writable folder in memory. Root runs it as a user that nobody else is:
 * the kernel does not hold root to a number of processes.
 */
export function cageFor(inmate: Inmate, network: boolean): Cage {
  const key = JSON.stringify([inmate, network]);
  const known = cages.get(key);
  if (known) return known;
  const found = candidates(inmate, network).find((cage) => starts(cage, inmate.probe));
  if (!found) return open(network); // not remembered: a machine that was busy may have the cage later
  cages.set(key, found);
  return found;
}

function candidates({ sees }: Inmate, network: boolean): Cage[] {
  if (process.platform !== 'linux') return [];
  const isRoot = process.getuid?.() === 0;
  const spaces = ['--ipc', '--pid', '--fork', '--kill-child=SIGKILL', ...(network ? [] : ['--net'])];
  const own = ['--user', '--map-root-user'];
  const drop = ['setpriv', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
  const script = rootScript(sees, network);
  const nobody = () => {
    const id = randomInt(2 ** 30, 2 ** 31 - 1);
    return [`--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
  };
  const caged = (user: readonly string[], asUser: () => readonly string[]): Cage => ({
    isolation: 'sandbox',
    missing: [],
    wrap: (folder, command) => [
      ...['unshare', ...user, '--mount', ...spaces, '--', 'sh', '-c', script, 'sh', folder],
      ...[...drop, ...asUser(), '--', ...command],
    ],
  });
  return [
    ...(isRoot ? [caged([], nobody)] : []),
    caged(own, () => []),
    {
      isolation: 'rlimits',
      missing: ['files'],
      wrap: (_folder, command) => ['unshare', ...own, ...spaces, '--', ...command],
    },
  ];
}

const open = (network: boolean): Cage => ({
  isolation: 'rlimits',
  missing: ['processes', 'files', ...(network ? [] : (['network'] as const))],
  wrap: (_folder, command) => [...command],
});

function starts(cage: Cage, probe: readonly string[]): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'tracemill-probe-'));
  try {
    const [command = '', ...args] = cage.wrap(folder, probe);
    return spawnSync(command, args, { cwd: folder, env: cageEnv, stdio: 'ignore', timeout: 30_000 }).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All that a program learns of the environment. */
export const cageEnv = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];
const systemFiles = ['/etc/ld.so.cache', '/etc/localtime'];
const networkFiles = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl', '/etc/ca-certificates'];
const devices = ['/dev/null', '/dev/zero', '/dev/urandom', '/dev/random'];

/** The shell script that builds the root of a cage in the empty folder `$1`, and runs the rest of its words there. */
function rootScript(sees: readonly string[], network: boolean): string {
  const parts = [...systemFolders, '/etc/alternatives', ...systemFiles, ...(network ? networkFiles : [])]
    .map((path) => ({ path, kind: kindOf(path) }))
    .filter(({ kind }) => kind !== 'none');
  const extra = sees
    .filter((path) => !path.startsWith('/usr/') && path !== '/usr' && path !== '/')
    .map((path) => ({ path, kind: kindOf(path) }));
  const all = [...parts, ...extra.filter(({ path }, n) => extra.findIndex((other) => other.path === path) === n)];
  const of = (...kinds: readonly string[]) => all.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
  const [folders, files, links] = [of('folder'), [...of('file'), ...devices], of('link')];
  const made = ['/box', ...folders, ...[...files, ...links].map((path) => dirname(path))];
  return [
    'set -e',
    'umask 022',
    'r=$1; shift',
    'mount -t tmpfs -o size=1m,mode=755 none "$r"',
    `mkdir -p ${made.map(inRoot).join(' ')}`,
    ...links.map((path) => `ln -s ${quoted(readlinkSync(path))} ${inRoot(path)}`),
    'ln -s box "$r/tmp"', // libraries look for it
    ...files.map((path) => `: > ${inRoot(path)}`),
    ...folders.map((path) => `mount -o bind,ro ${quoted(path)} ${inRoot(path)}`),
    ...files.map((path) => `mount -o bind${devices.includes(path) ? '' : ',ro'} ${quoted(path)} ${inRoot(path)}`),
    'mount -t tmpfs -o size=64m,nr_inodes=4096,mode=777 none "$r/box"',
    'mount -o remount,bind,ro "$r"',
    'unset PWD OLDPWD',
    'exec unshare --root="$r" --wd=/box -- "$@"',
  ].join('\n');
}

const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;
const inRoot = (path: string) => `"$r"${quoted(path)}`;

function kindOf(path: string): 'folder' | 'file' | 'link' | 'none' {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'none';
  return found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file';
}
