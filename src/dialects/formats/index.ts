import { TracemillError } from '../../core/errors.ts';
import type { FileFormat, Sample } from '../format.ts';
import { messageRows } from './messages.ts';
import { ownRows } from './own-rows.ts';
import { rewardTable } from './reward-table.ts';
import { tauBench } from './tau-bench.ts';

/** Every file format, the particular ones before the general ones: the first that knows a sample reads the file. */
export const fileFormats: readonly FileFormat[] = [tauBench, rewardTable, ownRows, messageRows];

/**
 * Find the format of a file, by name or by what is in it.
 *
 * @throws TM_OPTIONS - `name` is no format
 * @throws TM_SOURCE - nothing in the table knows the content (`unknown_format`)
 */
export function formatOf(sample: Sample, name?: string): FileFormat {
  const found = fileFormats.find((format) => (name === undefined ? format.detect(sample) : format.name === name));
  if (found) return found;
  const names = fileFormats.map((format) => format.name).join(', ');
  if (name !== undefined)
    throw new TracemillError('TM_OPTIONS', `format: ${name} is unknown; known formats are ${names}`);
  throw new TracemillError('TM_SOURCE', `the content is of no known format; known formats are ${names}`, {
    reason: 'unknown_format',
  });
}
