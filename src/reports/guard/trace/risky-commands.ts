import type { ShellCommand } from '../../../text/shell-commands.ts';

/** Programs that only show or search text: their arguments are words, not orders. */
const talkers: ReadonlySet<string> = new Set([
  'echo',
  'printf',
  'grep',
  'rg',
  'egrep',
  'fgrep',
  'ag',
  'ack',
  'man',
  'say',
]);
const fileMovers: ReadonlySet<string> = new Set(['rm', 'mv', 'cp', 'ln', 'rmdir', 'unlink', 'install', 'mkdir']);

/** Say whether a program only shows or searches text. */
export const onlyTalks = ({ program }: ShellCommand): boolean => talkers.has(program);

/** Say whether a line goes around a check: `--no-verify`, a forced push, `SKIP=`, a failure that `|| true` swallows. */
export function bypasses(commands: readonly ShellCommand[]): boolean {
  return commands.some((command, at) => {
    const { program, args, assignments, next } = command;
    if (['||', '|'].includes(next) && commands[at + 1]?.program === 'true') return true;
    if (assignments.some((one) => /^(?:SKIP|HUSKY_SKIP_HOOKS)=\S/.test(one) || one === 'HUSKY=0')) return true;
    if (onlyTalks(command)) return false;
    if (args.some((arg) => arg === '--no-verify' || arg === '--ignore-errors')) return true;
    if (args.includes('--force') && !fileMovers.has(program)) return true;
    return (
      program === 'git' && args[0] === 'push' && args.some((arg) => /^-[a-z]*f[a-z]*$/.test(arg) || /^\+\w/.test(arg))
    );
  });
}

/** Say whether a line destroys what cannot be got back. */
export const destroys = (commands: readonly ShellCommand[]): boolean => commands.some(destroysOne);

function destroysOne(command: ShellCommand): boolean {
  const { program, args } = command;
  if (onlyTalks(command)) return false;
  if (program === 'rm') return removesTrees(args);
  if (program === 'git') return resetsWork(args);
  if (program === 'find')
    return args.includes('-delete') || (/^rm$/.test(args[args.indexOf('-exec') + 1] ?? '') && args.includes('-exec'));
  if (program === 'truncate')
    return args.some((arg, n) => /^(?:-s0|--size=0)$/.test(arg) || (arg === '-s' && args[n + 1] === '0'));
  if (/^(?:mkfs(?:\.\w+)?|shred|dropdb|wipefs)$/.test(program)) return true;
  return args.some(destroysData);
}

function removesTrees(args: readonly string[]): boolean {
  const flags = args.filter((arg) => arg.startsWith('-'));
  const isFlag = (short: RegExp, long: string) => flags.some((flag) => flag === long || short.test(flag));
  const recursive = isFlag(/^-[a-zA-Z]*[rR]/, '--recursive');
  if (!recursive && !isFlag(/^-[a-zA-Z]*f/, '--force')) return false;
  const paths = args.filter((arg) => !arg.startsWith('-'));
  return recursive || paths.length !== 1 || !isThrowaway(paths[0] ?? '');
}

/** One lock or cache file: a tool makes it again. */
const isThrowaway = (path: string): boolean =>
  !/[*?]/.test(path) &&
  /\.(?:lock|pyc|tmp|log|pid|swp|bak)$|(?:^|\/)(?:\.?cache|__pycache__|tmp|\.pytest_cache)\//.test(path);

function resetsWork([verb, ...args]: readonly string[]): boolean {
  if (verb === 'reset') return args.includes('--hard');
  if (verb === 'checkout') return args.includes('--') || args[0] === '.';
  return (
    verb === 'clean' &&
    args.some((arg) => arg === '--force' || /^-[a-z]*f/.test(arg)) &&
    !args.some((arg) => arg === '-n' || arg === '--dry-run')
  );
}

/** Say whether an SQL text drops, empties or deletes whole tables. */
export function destroysData(sql: string): boolean {
  if (/\b(?:drop\s+(?:table|database|schema)|truncate\s+table)\b/i.test(sql)) return true;
  return sql
    .split(';')
    .some((statement) => /\bdelete\s+from\s+["'`\w.[\]]+/i.test(statement) && !/\bwhere\b/i.test(statement));
}

const secretFile =
  /(?:^|[\s/'"=:@(])(?:\.env(?:\.[\w-]+)*|\.npmrc|\.netrc|\.pypirc|id_(?:rsa|dsa|ecdsa|ed25519)|\.ssh\/[^\s'"]*|\.ssh|\.aws\/credentials|[^\s/'"=]*\.pem)(?=$|[\s'"),;:|&])/gi;
const harmlessFile = /\.(?:example|sample|template|dist|defaults?|test|schema)$|\.pub$/i;

/** Say whether a path, or a word of a command, names a file of secrets. */
export function namesSecret(text: string): boolean {
  return [...text.matchAll(secretFile)].some(([file]) => !harmlessFile.test(file));
}

/** Say whether a command reads a file of secrets or prints the environment. */
export function readsSecrets(commands: readonly ShellCommand[]): boolean {
  return commands.some(({ program, args, written }) => {
    if (program === 'printenv' || (program === 'env' && args.length === 0)) return true;
    const words = ['echo', 'printf', 'say', 'man'].includes(program) ? [] : args;
    return [...words, ...written].some(namesSecret);
  });
}
