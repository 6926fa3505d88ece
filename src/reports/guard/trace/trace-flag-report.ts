import { z } from 'zod';
import type { JsonObject } from '../../../core/json-object.ts';
import { parseOptions } from '../../../core/operator.ts';
import { asWarnings } from '../../../core/remarks.ts';
import { groupLabel } from '../../../rows/label.ts';
import { pearson } from '../../../stats/pearson.ts';
import { taskMeans } from '../task-means.ts';
import { flagsOf, traceFlagNames, traceOptions } from './trace-flags.ts';
import { flagsOfMarker } from './trace-markers.ts';

const options = z.strictObject({
  ...traceOptions,
  threshold: z.number().min(0).max(1).default(0.3).describe('Correlation with the reward from which a flag is marked.'),
});

/**
 * Report how often each flag fired, with examples, and whether the reward pays for it: `reward_corr` is the correlation with
 * the 0/1 label, `flagged` when it reaches the threshold. Markers are averaged over tasks.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 13, 14
 */
export function traceFlagReport(rows: readonly JsonObject[], given: z.input<typeof options> = {}) {
  const { kinds, threshold } = parseOptions('traceFlagReport', options, given);
  const fired = rows.map((row) => flagsOf(row, kinds));
  const labels = rows.map(groupLabel);
  const graded = labels.flatMap((label, at) => (label === undefined ? [] : [at]));
  const graders = graded.map((at) => labels[at] ?? 0);
  const flags = Object.fromEntries(
    traceFlagNames.map((flag) => {
      const hits = fired.flatMap((flags, index) => (flag in flags ? [{ index, evidence: flags[flag] ?? '' }] : []));
      const column = graded.map((at) => (flag in (fired[at] ?? {}) ? 1 : 0));
      const correlation = pearson(column, graders);
      const summary = {
        n: hits.length,
        rate: rows.length === 0 ? 0 : Math.round((hits.length / rows.length) * 1e4) / 1e4,
        examples: hits.slice(0, 3),
        reward_corr: correlation === null ? null : Math.round(correlation * 1000) / 1000,
        flagged: correlation !== null && correlation >= threshold,
      };
      return [flag, summary] as const;
    }),
  );
  const markers = Object.fromEntries(
    Object.entries(flagsOfMarker).map(([marker, names]) => [
      marker,
      taskMeans(rows, (at) => (names.some((name) => name in (fired[at] ?? {})) ? 0 : 1)),
    ]),
  );
  const remarks = Object.entries(flags)
    .filter(([, { flagged }]) => flagged)
    .map(([flag, { reward_corr, n }]) => ({
      code: 'trace_flag_rewarded',
      text: `the reward pays for ${flag} (${n} rows, correlation ${reward_corr}): look at its examples before training`,
    }));
  return { n: rows.length, n_graded: graded.length, threshold, flags, markers, ...asWarnings(remarks) };
}
