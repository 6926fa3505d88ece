import { isObject, type JsonObject } from '../core/json-object.ts';
import type { Tool } from '../rows/tool.ts';
import { nameWords, verbOf } from './names.ts';

/** What kind of answer a tool gives; the keys of its result follow from it. */
export type Family = 'shell' | 'grep' | 'files' | 'file' | 'git' | 'ci' | 'listing' | 'money' | 'record';

/** The data keys of each family of code tools: a result template that shares none of them does not fit. */
export const familyKeys: Readonly<Partial<Record<Family, readonly string[]>>> = {
  shell: ['command', 'exit_code', 'stdout', 'stderr'],
  grep: ['pattern', 'count', 'matches'],
  files: ['path', 'entries', 'count'],
  file: ['path', 'content', 'bytes', 'encoding', 'bytes_written'],
  git: ['path', 'diff', 'branch', 'count', 'items', 'clean', 'ahead', 'behind', 'staged', 'unstaged', 'untracked'],
  ci: ['count', 'items'],
};

const has = (name: readonly string[], ...words: readonly string[]) => words.some((word) => name.includes(word));
const pathLike = /^(path|file|filename|filepath|dir|directory|folder|.*_(path|file|dir|directory))$/;
const hasPath = (keys: readonly string[]) => keys.some((key) => pathLike.test(nameWords(key).join('_')));
const fileNouns = ['file', 'files', 'document', 'directory', 'dir', 'folder'];
/** Names whose path-like argument is no file of a workspace. */
const notFiles = ['profile', 'user', 'order', 'issue', 'pr', 'account'];
const moneyNames =
  /(^|_)(payments?|prices?|pricing|invoices?|balances?|estimates?|refunds?)(_|$)|fx_rates?|exchange_rates?|amount_due/;

/** Read the family of a tool off its name and its parameters; a list of money things is a listing. */
export function familyOf({ name, parameters }: Tool): Family {
  const words = nameWords(name);
  const joined = words.join('_');
  const { properties } = parameters as JsonObject;
  const keys = isObject(properties) ? Object.keys(properties) : [];
  if (isShell(joined, words, keys)) return 'shell';
  if (words[0] === 'git' || joined === 'list_commits') return 'git';
  if (/(^|_)(grep|search_code|find_in_files?)(_|$)/.test(joined)) return 'grep';
  if (keys.some((key) => key === 'pattern' || key === 'regex') && hasPath(keys) && !isFiles(joined)) return 'grep';
  if (isFiles(joined)) return 'files';
  if (isFile(words, keys)) return 'file';
  if (/(^|_)(list_checks|ci_status|ci_checks|test_results|check_runs)(_|$)/.test(joined)) return 'ci';
  if (words[0] === 'search' || words[0] === 'list') return 'listing';
  return moneyNames.test(joined) ? 'money' : 'record';
}

function isShell(joined: string, words: readonly string[], keys: readonly string[]): boolean {
  if (/^(run_command|execute_command|bash|exec|pytest|shell|terminal)(_|$)/.test(joined)) return true;
  return has(keys, 'command', 'cmd', 'argv') && has(words, 'run', 'exec', 'execute', 'shell', 'bash', 'terminal');
}

const isFiles = (joined: string) =>
  /^(list_(files?|dirs?|directory|directories|folders?)|ls|ls_dir|glob|directory_tree)(_|$)/.test(joined);

function isFile(words: readonly string[], keys: readonly string[]): boolean {
  if (has(words, ...notFiles)) return false;
  const actsOnFile = has(words, 'read', 'write', 'edit', 'get', 'view', 'append', 'create') && has(words, ...fileNouns);
  return (actsOnFile && !has(words, 'directory', 'dir', 'folder')) || (hasPath(keys) && !has(words, 'move', 'copy'));
}

/** Say whether a call of a file tool writes: its name does, or it carries what to write. */
export function writesFile({ name }: Tool, args: JsonObject): boolean {
  if (verbOf(name) === 'read') return false;
  return ['content', 'contents', 'text', 'file_text', 'data', 'new_str', 'edits', 'patch'].some((key) => key in args);
}
