/** One simple command of a shell line. */
export interface ShellCommand {
  /** Name of the program, without its path; `''` when the line only sets variables. */
  readonly program: string;
  /** Arguments after the program, quotes taken off. */
  readonly args: readonly string[];
  /** `NAME=value` before the program. */
  readonly assignments: readonly string[];
  /** What stands between it and the next command: `&&`, `||`, `|`, `;`, or `''` at the end. */
  readonly next: string;
  /** Files that it redirects its output to. */
  readonly written: readonly string[];
}

const token =
  /[^\S\n]*(?:(\|\||&&|[;|\n]|&(?!>))|(\d*>>?&?|&>>?|<<?-?)|((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\;|&<>])+)|(["'\\]))/gsuy;
/** Programs that only run another program. */
const carriers: ReadonlySet<string> = new Set([
  'sudo',
  'time',
  'nohup',
  'exec',
  'command',
  'npx',
  'bunx',
  'pnpx',
  'xvfb-run',
  'nice',
]);
const runners: Readonly<Record<string, string>> = {
  poetry: 'run',
  uv: 'run',
  pipenv: 'run',
  hatch: 'run',
  bundle: 'exec',
};

/**
 * Cut a shell line into its simple commands, quotes understood: what stands in quotes is one argument and never an operator
 * or a flag. Variables, substitutions and here-documents are not expanded.
 */
export function shellCommands(line: string): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let written: string[] = [];
  let redirect = '';
  const end = (next: string): void => {
    if (words.length > 0 || written.length > 0) commands.push({ ...named(words), next, written });
    [words, written, redirect] = [[], [], ''];
  };
  token.lastIndex = 0;
  const text = line.trimEnd();
  while (token.lastIndex < text.length) {
    const [all, operator, arrow, word] = token.exec(text) ?? [];
    if (all === undefined) break;
    if (operator !== undefined) end(operator.trim() === '' ? ';' : operator);
    else if (arrow !== undefined) redirect = arrow;
    else if (word !== undefined) {
      if (redirect === '') words.push(unquoted(word));
      else if (redirect.includes('>') && !redirect.endsWith('&')) written.push(unquoted(word));
      redirect = '';
    }
  }
  end('');
  return commands;
}

function named(words: readonly string[]): Pick<ShellCommand, 'program' | 'args' | 'assignments'> {
  let at = 0;
  const assignments: string[] = [];
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^[A-Za-z_]\w*=/.test(word)) assignments.push(word);
    else if (word === 'env' && words.length > at + 1) continue;
    else if (carriers.has(word)) while ((words[at + 1] ?? '').startsWith('-')) at++;
    else if (runners[word] !== undefined && words[at + 1] === runners[word]) at++;
    else if (/^python[\d.]*$/.test(word) && words[at + 1] === '-m') at++;
    else break;
  }
  const program = (words[at] ?? '').replace(/^.*\//, '');
  return { program, args: words.slice(at + 1), assignments };
}

function unquoted(word: string): string {
  return word.replace(
    /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gsu,
    (_all, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(.)/gsu, '$1'),
  );
}
