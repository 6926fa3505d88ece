import { isDeepStrictEqual } from 'node:util';
import { TracemillError } from '../core/errors.ts';
import { parseJson, stringifyJson } from '../core/json.ts';
import { readRunMeta } from '../sources/run-meta.ts';
import { kebab } from './flags.ts';

/**
 * Refuse to go on with a run under other settings than it began with: its file would hold the rows of two runs.
 *
 * @throws TM_OPTIONS - names the flags that differ
 */
export async function checkSameRun(
  out: string,
  command: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const [before] = (await readRunMeta(out))?.made_by ?? [];
  if (before?.command !== command) return; // killed before it wrote them, or no run of ours
  const now = parseJson(stringifyJson(settings)) as typeof settings;
  const differs = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (key) => key !== 'command' && !isDeepStrictEqual(before[key], now[key]),
  );
  if (differs.length === 0) return;
  const named = differs.map((key) => `--${kebab(key)} (was ${stringifyJson(before[key]) ?? 'not given'})`);
  throw new TracemillError(
    'TM_OPTIONS',
    `${out} was begun with other settings: ${named.join(', ')}. Go on with those, or name another place`,
  );
}
