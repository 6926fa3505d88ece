import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { TracemillError } from '../../core/errors.ts';

/** A file to read. `named` when the caller asked for this very file, so that it cannot be skipped in silence. */
export interface FilePath {
  readonly path: string;
  readonly named: boolean;
}

/** Names that are the folder's business, not its data. */
const passedOver = /^(\.|node_modules$|NOTICE|LICEN[CS]E|README|CHANGELOG)/i;

/**
 * Find the files that paths, folders and globs (`*`, `?`, `**`) name, in the order of the arguments and by name within
 * each, every file once. `-` is the standard input. Hidden files, licences and readmes of a folder are passed over; a link
 * that leads nowhere is found, so that reading it says so.
 *
 * @throws TM_SOURCE - a path does not exist (`not_found`), or a folder or glob names no file (`no_files`)
 */
export async function findFiles(patterns: readonly string[]): Promise<readonly FilePath[]> {
  const found = new Map<string, FilePath>();
  for (const pattern of patterns)
    for (const file of await filesOf(pattern)) if (!found.has(file.path)) found.set(file.path, file);
  return [...found.values()];
}

async function filesOf(pattern: string): Promise<readonly FilePath[]> {
  if (pattern === '-') return [{ path: pattern, named: true }];
  const info = await statOf(pattern);
  if (info && !info.isDirectory()) return [{ path: pattern, named: true }];
  const isGlob = /[*?]/.test(pattern);
  if (!info && !isGlob) throw new TracemillError('TM_SOURCE', `${pattern}: no such file`, { reason: 'not_found' });
  const found = info ? await below(pattern) : await matching(pattern);
  if (found.length === 0)
    throw new TracemillError('TM_SOURCE', `${pattern}: there is no file to read`, { reason: 'no_files' });
  return found.map((path) => ({ path, named: false }));
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // may be a glob
    throw unreadable(path, cause);
  }
}

const unreadable = (path: string, cause: unknown) =>
  new TracemillError('TM_SOURCE', `${path}: it may not be read`, { cause, reason: 'unreadable' });

async function below(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(folder, cause);
  });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (passedOver.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await below(path)));
    else if (entry.isFile() || (entry.isSymbolicLink() && (await isFileOrBroken(path)))) found.push(path);
  }
  return found;
}

/** Whether a link leads to a file, or nowhere: then it is told when it is read, and no other file is lost to it. */
const isFileOrBroken = (link: string): Promise<boolean> =>
  stat(link).then(
    (info) => info.isFile(),
    () => true,
  );

/** Files below the part of a glob that has no wildcard, whose path matches the rest. */
async function matching(glob: string): Promise<string[]> {
  const parts = glob.split(sep);
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  const base = parts.slice(0, wild).join(sep) || (glob.startsWith(sep) ? sep : '.');
  if (!(await statOf(base))?.isDirectory()) return [];
  const files = await below(base);
  const depth = base === '.' ? 0 : base === sep ? 1 : wild;
  return files.filter((file) => matchesPath(file.split(sep).slice(depth), parts.slice(wild)));
}

/** Match path parts: `**` stands for any number of them. */
function matchesPath(path: readonly string[], pattern: readonly string[]): boolean {
  const [head, ...tail] = pattern;
  if (head === undefined) return path.length === 0;
  if (head === '**') return path.some((_part, n) => matchesPath(path.slice(n), tail)) || matchesPath([], tail);
  const [name, ...rest] = path;
  return name !== undefined && matchesName(name, head) && matchesPath(rest, tail);
}

/** Match one name, in time proportional to name times pattern: after a mismatch only the last `*` is stretched. */
function matchesName(name: string, pattern: string): boolean {
  let at = 0;
  let p = 0;
  let star = -1;
  let mark = 0;
  while (at < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      mark = at;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[at])) {
      p++;
      at++;
    } else if (star >= 0) {
      p = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
