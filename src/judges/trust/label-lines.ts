import { readFileSync } from 'node:fs';
import { TracemillError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';

/**
 * Read the lines of a file of labels as JSON; blank ones are left out.
 *
 * @throws TM_SOURCE - `not_found`, `unreadable`; `invalid_json` names the line
 */
export function labelLines(path: string): unknown[] {
  return textOf(path)
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [labelOf(line, `${path}:${at + 1}`)]));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new TracemillError('TM_SOURCE', `${path}: ${isMissing ? 'there is no such file' : 'it cannot be read'}`, {
      cause,
      reason: isMissing ? 'not_found' : 'unreadable',
    });
  }
}

function labelOf(line: string, place: string): unknown {
  try {
    return parseJson(line);
  } catch (cause) {
    throw new TracemillError('TM_SOURCE', `${place}: the label is no JSON`, { cause, reason: 'invalid_json' });
  }
}
