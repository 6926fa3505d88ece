import { z } from 'zod';
import type { JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import type { Sink } from '../core/to-sink.ts';
import { type PreferenceReport, preferenceSet, preferenceSetOptions } from '../reports/export/preference-set.ts';
import { draftFile } from './draft-file.ts';

const options = preferenceSetOptions.extend({
  path: z.string().min(1).describe('File to write, one JSON object a line. It appears whole or not at all.'),
});

/** What an export says of its file. `path` is null when there was nothing to write. */
export interface PreferenceExport extends PreferenceReport {
  readonly path: string | null;
}

export interface PreferencePairsSink extends Sink<JsonObject> {
  /** Known once the run has finished. */
  report(): PreferenceExport | undefined;
}

/**
 * Write preference pairs as a file for direct alignment. Pairs wait in `<path>.part`, free of answer keys, until the last one
 * is there. A run that dies leaves no file; the next run starts anew. Memory: one record a column.
 *
 * @throws TM_OPTIONS - when built, an option is unknown or out of range
 * @throws TM_EXPORT_PREFERENCE - a pair without one of its sides
 * @throws TM_TOOL_CALL_ROUNDTRIP, TM_NO_PREFERENCE_PAIRS - at the end, and no file is written; `validate: false` lets them pass
 * @throws TM_SINK - retriable when the disk is full or busy, final otherwise
 */
export function preferencePairs(config: z.input<typeof options>): PreferencePairsSink {
  const { path, ...rest } = parseOptions('preferencePairs', options, config);
  const set = preferenceSet(rest);
  const draft = draftFile<JsonObject>(path);
  let report: PreferenceExport | undefined;
  return {
    async write(pairs) {
      const entries = pairs.map(set.entry);
      await draft.append(entries.flatMap((entry) => ('row' in entry ? [entry.row] : [])));
      for (const entry of entries) set.add(entry);
    },
    async finish() {
      const { report: said, refusal, line } = set.end();
      if (refusal || said.pairs === 0) await draft.discard();
      if (refusal) throw refusal;
      if (said.pairs > 0) await draft.publish(line);
      report = { ...said, path: said.pairs > 0 ? path : null };
    },
    close: () => draft.close(),
    report: () => report,
  };
}

/**
 * Write preference pairs as a file, all at once, and report what is in it.
 *
 * @throws TM_EXPORT_PREFERENCE, TM_TOOL_CALL_ROUNDTRIP, TM_NO_PREFERENCE_PAIRS - and no file is written
 */
export async function exportPreference(
  pairs: readonly object[],
  path: string,
  config: Omit<z.input<typeof options>, 'path'> = {},
): Promise<PreferenceExport> {
  const sink = preferencePairs({ ...config, path });
  try {
    await sink.write(pairs as readonly JsonObject[]); // each is read field by field
    await sink.finish?.();
  } finally {
    await sink.close();
  }
  return sink.report() as PreferenceExport; // it finished
}
