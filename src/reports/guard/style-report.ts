import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { asWarnings } from '../../core/remarks.ts';
import { groupLabel } from '../../rows/label.ts';
import { replyOf } from '../../rows/reply.ts';
import { pearson } from '../../stats/pearson.ts';
import { countPhrases } from './count-phrases.ts';
import { styleOptions } from './style-markers.ts';
import { phraseLists } from './style-phrases.ts';
import { taskMeans } from './task-means.ts';

const options = z.strictObject({
  ...styleOptions,
  threshold: z.number().min(0).max(1).default(0.3).describe('Correlation with the reward from which a tic is flagged.'),
});

/**
 * Report how clean the replies are of each style tic, and whether the reward pays for it: `clean` is the mean over tasks,
 * `reward_corr` the correlation of the tic with the 0/1 label, `flagged` when the reward pays for it.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source rlhfbook ch. 14, 17
 */
export function styleReport(rows: readonly JsonObject[], given: z.input<typeof options> = {}) {
  const { phrases, threshold } = parseOptions('styleReport', options, given);
  const labels = rows.map(groupLabel);
  const graded = labels.flatMap((label, at) => (label === undefined ? [] : [at]));
  const graders = graded.map((at) => labels[at] ?? 0);
  const markers = Object.fromEntries(
    Object.entries(phraseLists(phrases)).map(([marker, list]) => {
      const found = rows.map((row) => list.found(replyOf(row).said));
      const hit = found.map((list) => (list.length > 0 ? 1 : 0));
      const hits = hit.reduce<number>((sum, one) => sum + one, 0);
      const correlation = pearson(
        graded.map((at) => hit[at] ?? 0),
        graders,
      );
      const reward_corr = correlation === null ? null : Math.round(correlation * 1000) / 1000;
      const means = taskMeans(rows, (at) => 1 - (hit[at] ?? 0));
      const summary = {
        ...means,
        hits,
        top_phrases: countPhrases(found),
        reward_corr,
        flagged: correlation !== null && correlation >= threshold,
        degenerate: rows.length > 0 && (hits === 0 || hits === rows.length),
        not_stamped: rows.filter((row) => !isObject(row['markers']) || !(marker in row['markers'])).length,
      };
      return [marker, summary] as const;
    }),
  );
  const remarks = Object.entries(markers)
    .filter(([, { flagged }]) => flagged)
    .map(([marker, { reward_corr }]) => ({
      code: 'style_rewarded',
      text: `the reward pays for what ${marker} forbids (correlation ${reward_corr}): a policy will learn the tic`,
    }));
  return { n: rows.length, n_graded: graded.length, threshold, markers, ...asWarnings(remarks) };
}
