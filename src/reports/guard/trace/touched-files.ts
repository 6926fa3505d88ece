import type { CallMade } from '../../../rows/calls-made.ts';
import { failedCall } from '../../../rows/failed-call.ts';
import { nameWords } from '../../../text/name-words.ts';
import { type ShellCommand, shellCommands } from '../../../text/shell-commands.ts';
import { commandOf, contentOf, pathOf, type StepKind, stepKind } from './step-kind.ts';

/** A file that a call wrote or removed, and what it put there as far as the call says. */
export interface TouchedFile {
  readonly path: string;
  readonly content: string;
  readonly removed: boolean;
}

/** Read which files a call writes or removes: by its arguments, or by the shell line it runs. */
export function touchedFiles(call: CallMade, kinds: Readonly<Record<string, StepKind>> = {}): readonly TouchedFile[] {
  const kind = stepKind(call, kinds);
  const line = commandOf(call);
  if (kind === 'command' && line !== undefined)
    return shellCommands(line).flatMap((command) => filesOfCommand(command, line));
  if (kind !== 'write' && kind !== 'delete') return [];
  return [{ path: pathOf(call) ?? '', content: contentOf(call) ?? '', removed: kind === 'delete' }];
}

function filesOfCommand(command: ShellCommand, content: string): TouchedFile[] {
  const { program, args, written } = command;
  const paths = args.filter((arg) => !arg.startsWith('-'));
  const touched = written
    .filter((path) => !path.startsWith('/dev/'))
    .map((path) => ({ path, content, removed: false }));
  const all = (list: readonly string[], removed: boolean) => list.map((path) => ({ path, content: '', removed }));
  if (program === 'sed' && args.some((arg) => /^-(?:[a-zA-Z]*i|-in-place)/.test(arg)))
    return [...touched, ...paths.slice(1).map((path) => ({ path, content, removed: false }))];
  if (program === 'perl' && args.some((arg) => /^-[a-z]*i/.test(arg)))
    return [...touched, ...all(paths.slice(-1), false)];
  if (['rm', 'unlink', 'rmdir'].includes(program)) return [...touched, ...all(paths, true)];
  if (program === 'git' && ['rm', 'mv'].includes(args[0] ?? '')) return [...touched, ...all(paths.slice(1), true)];
  if (program === 'mv') return [...touched, ...all(paths.slice(0, -1), true), ...all(paths.slice(-1), false)];
  if (['cp', 'tee', 'touch', 'truncate', 'install'].includes(program))
    return [...touched, ...all(paths.slice(-1), false)];
  if (program === 'git' && ['apply', 'am'].includes(args[0] ?? '')) return [...touched, ...all(['patch'], false)];
  return program === 'patch' ? [...touched, ...all([paths[0] ?? 'patch'], false)] : touched;
}

/** Verbs in the name of an API that changes something: `update_address`, `issue_refund`. */
const changing =
  /^(?:add|apply|append|approve|archive|assign|book|cancel|change|charge|close|configure|confirm|copy|correct|create|credit|delete|deploy|disable|downgrade|edit|enable|exchange|fix|insert|issue|make|merge|modify|move|open|order|patch|pay|place|post|process|publish|push|put|redeem|refund|register|reissue|remove|rename|reorder|replace|reschedule|reserve|reset|resolve|restart|return|revoke|save|schedule|send|set|ship|store|submit|subscribe|sync|transfer|unassign|unsubscribe|update|upgrade|upload|upsert|write)$/;

/** Say whether a call changed something and did not fail: what backs `I updated it`. */
export function backsEdit(call: CallMade, kinds: Readonly<Record<string, StepKind>> = {}): boolean {
  if (failedCall(call)) return false;
  const kind = stepKind(call, kinds);
  if (kind === 'write' || kind === 'delete') return true;
  if (kind === 'command')
    return commandOf(call) === undefined || touchedFiles(call, kinds).length > 0 || changesRepository(call);
  return kind === null && nameWords(call.tool).some((word) => changing.test(word));
}

/** A script may write anything: what it runs is not read further. */
function changesRepository(call: CallMade): boolean {
  return shellCommands(commandOf(call) ?? '').some(
    ({ program, args }) =>
      (program === 'git' &&
        /^(?:commit|merge|rebase|revert|cherry-pick|checkout|reset|stash|tag|push)$/.test(args[0] ?? '')) ||
      /^(?:python[\d.]*|node|ruby|perl|psql|mysql|sqlite3|curl|wget|kubectl|terraform|npm|pnpm|yarn|pip|ansible)$/.test(
        program,
      ),
  );
}
