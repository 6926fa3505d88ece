import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { TracemillError } from '../core/errors.ts';
import { type Tool, toolsFrom } from '../rows/tool.ts';

/**
 * Read a file that a flag names.
 *
 * @throws TM_OPTIONS - it is not there, is a folder, or may not be read
 */
export async function readInput(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const why: Readonly<Record<string, string>> = {
      ENOENT: 'no such file',
      EISDIR: 'it is a folder, a file is needed',
      EACCES: 'it may not be read',
    };
    throw new TracemillError('TM_OPTIONS', `${flag} ${path}: ${why[code] ?? code}`, { cause });
  }
}

/** Read a tool list from a JSON or YAML file, in any of the forms that `toolsFrom` knows. */
export async function readTools(path: string): Promise<readonly Tool[]> {
  const text = await readInput(path, '--tools');
  let value: unknown;
  try {
    value = parse(text); // JSON is YAML
  } catch (cause) {
    throw new TracemillError('TM_OPTIONS', `--tools ${path} is neither JSON nor YAML`, { cause });
  }
  try {
    return toolsFrom(value);
  } catch (cause) {
    throw new TracemillError('TM_OPTIONS', `--tools ${path}: ${(cause as Error).message.replace(/^TM_\w+: /, '')}`, {
      cause,
    });
  }
}
