import { z } from 'zod';
import type { JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import { type PreferenceReport, preferenceSet, preferenceSetOptions } from '../reports/export/preference-set.ts';
import { type SetFile, type SetSink, setFile, writeSet } from './set-file.ts';

const options = preferenceSetOptions.extend({
  path: z
    .string()
    .min(1)
    .describe('File to write, JSON lines, or Parquet by its name. It appears whole or not at all.'),
});

/** What an export says of its file. */
export type PreferenceExport = PreferenceReport & SetFile;

/**
 * Write preference pairs as a file for direct alignment. Pairs wait beside it, free of answer keys, until the last one is
 * there. A run that dies leaves no file; the next run starts anew. Memory: one record a column.
 *
 * @throws TM_OPTIONS - when built, an option is unknown or out of range
 * @throws TM_EXPORT_PREFERENCE - a pair without one of its sides
 * @throws TM_TOOL_CALL_ROUNDTRIP, TM_NO_PREFERENCE_PAIRS - at the end, and no file is written; `validate: false` lets them pass
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export function preferencePairs(config: z.input<typeof options>): SetSink<JsonObject, PreferenceReport> {
  const { path, ...rest } = parseOptions('preferencePairs', options, config);
  return setFile(preferenceSet(rest), { path });
}

/**
 * Write preference pairs as a file, all at once, and report what is in it.
 *
 * @throws TM_EXPORT_PREFERENCE, TM_TOOL_CALL_ROUNDTRIP, TM_NO_PREFERENCE_PAIRS - and no file is written
 */
export const exportPreference = (
  pairs: readonly object[],
  path: string,
  config: Omit<z.input<typeof options>, 'path'> = {},
): Promise<PreferenceExport> => writeSet(preferencePairs({ ...config, path }), pairs as readonly JsonObject[]); // each is read field by field
