import { Command, CommanderError } from 'commander';
import { TracemillError } from '../core/errors.ts';
import { visible } from '../text/visible.ts';
import type { CliCommand } from './command.ts';
import { addFlags, readFlags } from './flags.ts';
import { type Exit, exits, type Io } from './io.ts';

/** Run one call of the command line: `argv` without the program's name. Never throws; whatever goes wrong is said in words. */
export async function cli(
  commands: readonly CliCommand[],
  version: string,
  argv: readonly string[],
  given: Io,
): Promise<Exit> {
  const io: Io = { ...given, say: (line) => given.say(visible(line)) }; // names and errors come from anywhere
  let exit: Exit = exits.done;
  const program = new Command('tracemill')
    .description('Turn tools and a policy, or production traces, into graded, gated training data.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.say(text.trimEnd()) })
    .addHelpText('after', '\nExit codes: 0 done, 1 a gate said no, 2 a wrong call, 3 the world failed, 130 stopped.');
  const groups = new Map<string, Command>();
  for (const command of commands) {
    const sub = placeOf(command.name, program, groups)
      .description(command.summary)
      .action(async (...given: unknown[]) => {
        const files = given
          .slice(0, -2)
          .flat()
          .filter((file) => file !== undefined) as string[];
        exit = await command.run(
          files,
          readFlags(command.name, command.options, given.at(-2) as Record<string, unknown>),
          io,
        );
      })
      .addHelpText('after', `\nExamples:\n${command.examples.map((line) => `  $ ${line}`).join('\n')}`);
    if (command.args !== '') sub.arguments(command.args);
    addFlags(sub, command.options.shape);
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (error) {
    return said(error, io);
  }
}

/** A command of two words, such as `topics lag`, stands under its first one. */
function placeOf(name: string, program: Command, groups: Map<string, Command>): Command {
  const [first = '', second] = name.split(' ');
  if (second === undefined) return program.command(first);
  const known = groups.get(first);
  const group = known ?? program.command(first).description(`Commands about ${first}.`);
  groups.set(first, group);
  return group.command(second);
}

/** What a system says of a place where a command may not read or write: the place is at fault, not the command. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'it may not be read or written'],
  ['EPERM', 'it may not be read or written'],
  ['EROFS', 'nothing can be written there'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk is full'],
  ['ENOTDIR', 'a part of it is a file, not a folder'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ELOOP', 'its links lead in a circle'],
]);

function refusalIn(error: unknown): string | undefined {
  const { code = '', path, message } = Object(error) as NodeJS.ErrnoException;
  const why = path === undefined ? undefined : refusals.get(code);
  return why && `${path}: ${why}: ${message}`;
}

function said(error: unknown, io: Io): Exit {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.wrongCall; // it has spoken already
  if (!(error instanceof TracemillError)) {
    const refusal = refusalIn(error);
    if (refusal !== undefined) {
      io.say(refusal);
      return exits.worldFailed;
    }
    io.say(`tracemill failed in a way it does not know: ${error instanceof Error ? error.message : String(error)}`);
    io.say('This is a fault of Tracemill: set TRACEMILL_DEBUG=1 to see where.');
    if (process.env['TRACEMILL_DEBUG']) io.say(String((error as Error).stack));
    return exits.worldFailed;
  }
  const cause = error.cause instanceof Error && !(error.cause.name === 'ZodError') ? `: ${error.cause.message}` : '';
  io.say(error.message.includes(cause) ? error.message : `${error.message}${cause}`);
  return error.code === 'TM_OPTIONS' ? exits.wrongCall : exits.worldFailed;
}
