import { draws } from '../core/draws.ts';
import type { JsonObject } from '../core/json-object.ts';
import { nameWords } from './names.ts';
import { between, dayOf, personOf, pick } from './record.ts';

/** What a made-up workspace answer is drawn from: seed, tool and arguments, or the path of a file. */
export type Parts = readonly unknown[];

const topics = ['ledger', 'parser', 'session', 'router', 'cache', 'schema', 'worker', 'report'] as const;
const hex = (next: () => number, digits: number) =>
  Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
const text = (args: JsonObject, ...keys: readonly string[]): string => {
  const key = Object.keys(args).find((one) => keys.includes(nameWords(one).join('_')) && typeof args[one] === 'string');
  return key === undefined ? '' : String(args[key]);
};
/** The path a call names, whatever the parameter is called. */
export const pathOf = (args: JsonObject): string =>
  text(
    args,
    'path',
    'file',
    'file_path',
    'filepath',
    'filename',
    'file_name',
    'dir',
    'directory',
    'folder',
    'dir_path',
  );

/** Show a file: what was written to it in this rollout, else made-up text that fits its extension. */
export function filePayload(args: JsonObject, written: unknown, ...parts: Parts): JsonObject {
  const path = pathOf(args);
  const content = typeof written === 'string' ? written : sourceText(path, ...parts);
  return { path, content, bytes: Buffer.byteLength(content), encoding: 'utf-8' };
}

function sourceText(path: string, ...parts: Parts): string {
  const next = draws(...parts).next;
  const topic = pick(topics, next());
  const limit = between(2, 500, next());
  if (/\.(json)$/.test(path)) return `{\n  "${topic}": { "limit": ${limit}, "enabled": ${next() < 0.5} }\n}\n`;
  if (/\.(ya?ml|toml|ini|cfg)$/.test(path)) return `${topic}:\n  limit: ${limit}\n  owner: ${personOf(next())}\n`;
  if (/\.(md|txt|rst)$/.test(path)) return `# ${topic}\n\nThe ${topic} keeps at most ${limit} entries.\n`;
  if (/\.py$/.test(path)) return `LIMIT = ${limit}\n\n\ndef ${topic}(items):\n    return items[:LIMIT]\n`;
  return `export const limit = ${limit};\n\nexport function ${topic}(items) {\n  return items.slice(0, limit);\n}\n`;
}

/** List a folder: one to six entries. */
export function filesPayload(args: JsonObject, ...parts: Parts): JsonObject {
  const next = draws(...parts).next;
  const path = pathOf(args) || '.';
  const entries = Array.from({ length: between(1, 6, next()) }, (_, n) => {
    const isFolder = next() < 0.25;
    const name = `${pick(topics, next())}_${n + 1}${isFolder ? '' : pick(['.ts', '.py', '.md', '.json'], next())}`;
    return { name, type: isFolder ? 'directory' : 'file', path: `${path.replace(/\/$/, '')}/${name}` };
  });
  return { path, entries, count: entries.length };
}

/** Find a pattern: up to five lines that contain it. */
export function grepPayload(args: JsonObject, ...parts: Parts): JsonObject {
  const next = draws(...parts).next;
  const pattern = text(args, 'pattern', 'regex', 'query', 'search', 'text');
  const matches = Array.from({ length: between(0, 5, next()) }, () => ({
    path: `${pathOf(args) || 'src'}/${pick(topics, next())}.ts`,
    line: between(1, 400, next()),
    text: `  // ${pattern} in ${pick(topics, next())}`,
  }));
  return { pattern, count: matches.length, matches };
}

/** One command in eleven each is refused, fails its tests or meets a merge conflict; the others succeed. */
const oneIn = 11;

/** Run a command: nothing runs, the outcome is drawn. */
export function shellPayload(args: JsonObject, ...parts: Parts): JsonObject {
  const next = draws(...parts).next;
  const command = text(args, 'command', 'cmd', 'argv', 'script', 'code') || String(args['argv'] ?? '');
  const outcome = between(1, oneIn, next());
  const topic = pick(topics, next());
  if (outcome === 1) return shell(command, 126, '', `sh: ${topic}: Permission denied`);
  if (outcome === 2) return shell(command, 1, `FAILED tests/test_${topic}.py::test_limit\n1 failed, 11 passed`, '');
  if (outcome === 3) return shell(command, 1, `CONFLICT (content): Merge conflict in src/${topic}.ts`, 'merge failed');
  return shell(command, 0, `${topic}: done in ${between(1, 90, next())} s`, '');
}

const shell = (command: string, exit_code: number, stdout: string, stderr: string): JsonObject => ({
  command,
  exit_code,
  stdout,
  stderr,
});

/** Ask a repository: a diff, its log, or how the work tree stands. */
export function gitPayload(toolName: string, args: JsonObject, ...parts: Parts): JsonObject {
  const next = draws(...parts).next;
  const branch = pick(['main', 'release', 'fix-limit'], next());
  const words = nameWords(toolName);
  const is = (...names: readonly string[]) => names.some((name) => words.includes(name));
  if (is('diff', 'show')) {
    const [from, to] = [between(2, 40, next()), between(41, 500, next())];
    const path = pathOf(args) || `src/${pick(topics, next())}.ts`;
    return { path, diff: `-export const limit = ${from};\n+export const limit = ${to};\n`, branch };
  }
  if (is('log', 'commit', 'commits')) {
    const items = Array.from({ length: between(1, 5, next()) }, () => ({
      sha: hex(next, 10),
      message: `fix(${pick(topics, next())}): keep the limit`,
      author: personOf(next()),
      date: dayOf(next()),
    }));
    return { branch, count: items.length, items };
  }
  const counts = { ahead: between(0, 3, next()), behind: between(0, 3, next()) };
  const unstaged = next() < 0.5 ? [] : [`src/${pick(topics, next())}.ts`];
  return { branch, clean: unstaged.length === 0, ...counts, staged: [], unstaged, untracked: [] };
}

/** Show the checks of a commit. */
export function ciPayload(...parts: Parts): JsonObject {
  const next = draws(...parts).next;
  const items = ['build', 'lint', 'unit', 'e2e'].slice(0, between(1, 4, next())).map((name) => ({
    name,
    status: 'completed',
    conclusion: next() < 0.8 ? 'success' : 'failure',
    duration_s: between(5, 900, next()),
  }));
  return { count: items.length, items };
}
