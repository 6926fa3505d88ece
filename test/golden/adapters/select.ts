import type { JsonObject } from '../../../src/core/json-object.ts';
import { buildPreferencePairs } from '../../../src/reports/select/build-preference-pairs.ts';
import { calibrate, carryCalibration } from '../../../src/reports/select/calibrate.ts';
import { dropReason } from '../../../src/reports/select/drop-reason.ts';
import { filterRlRows } from '../../../src/reports/select/filter-rl-rows.ts';
import { isTruncated } from '../../../src/reports/select/is-truncated.ts';
import { nextRound } from '../../../src/reports/select/next-round.ts';
import { rank } from '../../../src/reports/select/rank.ts';
import { scoreRow } from '../../../src/reports/select/score-row.ts';
import { selectForRl } from '../../../src/reports/select/select-for-rl.ts';
import { selectForSft } from '../../../src/reports/select/select-for-sft.ts';
import { trimOutOfBand } from '../../../src/reports/select/trim-out-of-band.ts';
import { trimUnanimousGroups } from '../../../src/reports/select/trim-unanimous-groups.ts';
import { behaviorSignature } from '../../../src/rows/behavior-signature.ts';
import { replyOf } from '../../../src/rows/reply.ts';
import { taskKey } from '../../../src/rows/task-key.ts';
import { traceFault } from '../../../src/rows/trace-fault.ts';
import { looksFinished } from '../../../src/text/looks-finished.ts';
import type { Adapters } from '../run-case.ts';

type Rows = { readonly rows: readonly JsonObject[] };
type Options = Record<string, never>;

const idsOf = (rows: readonly JsonObject[]) => rows.map(({ id }) => id);
const account = ({ kept, report }: { readonly kept: readonly JsonObject[]; readonly report: unknown }) => ({
  kept_ids: idsOf(kept),
  report,
});
const stampsOf = (rows: readonly JsonObject[]) => rows.map(({ calibration }) => calibration ?? null);

export const adapters: Adapters = {
  looksFinished: ({ texts }: { readonly texts: readonly string[] }) =>
    texts.map((text) => ({ text, finished: looksFinished(text) })),
  dropReason: ({ rows }: Rows) =>
    rows.map((row) => ({
      id: row['id'],
      drop_reason: dropReason(row),
      drop_reason_no_tools: dropReason(row, { hasTools: false }),
    })),
  filterRlRows: ({ rows }: Rows, options: Options) => account(filterRlRows(rows, options)),
  isTruncated: ({ rows }: Rows) =>
    rows.map((row) => {
      const { length, calls, turns } = replyOf(row);
      const counts = { reply_length: length, tool_calls: calls.length, assistant_turns: turns.length };
      return { id: row['id'], truncated: isTruncated(row), ...counts };
    }),
  behaviorSignature: ({ rows }: Rows) => {
    const signatures = rows.map(behaviorSignature);
    return signatures.map((signature) => signatures.indexOf(signature));
  },
  scoreRow: ({ rows }: Rows) =>
    rows.map((row) => {
      const { quality, quality_scores, quality_reason } = scoreRow(row);
      return { id: row['id'], quality, quality_scores, conforms: quality_reason === 'conforms' };
    }),
  rank: ({ rows }: Rows) => rank(rows),
  traceFault: ([row]: readonly [JsonObject]) => traceFault(row),
  selectForRl: ({ rows }: Rows, options: Options) => {
    const { kept, report } = selectForRl(rows, options);
    const stamps = kept.map((row) => {
      const { overlong, reward, reward_before_penalty, judge_name, calibration, markers } = row;
      const marker_finished = (markers as JsonObject | undefined)?.['finished'];
      return [row['id'], { overlong, reward, reward_before_penalty, judge_name, calibration, marker_finished }];
    });
    return {
      ...report,
      selected_ids: idsOf(kept),
      report: { ...report, hack_scan_regime: report.hack_scan.regime },
      stamps: Object.fromEntries(stamps),
    };
  },
  selectForSft: ({ rows }: Rows, options: Options) => {
    const { kept, report } = selectForSft(rows, options);
    return { selected_ids: idsOf(kept), report, ...report };
  },
  buildPreferencePairs: ({ rows }: Rows, options: Options) => {
    const { pairs, report } = buildPreferencePairs(rows, options);
    const named = pairs.map((pair) => ({ ...pair, chosen_id: pair.chosen['id'], rejected_id: pair.rejected['id'] }));
    return { pairs: named, report, warning_codes: report.warning_codes, note_code: report.note_code };
  },
  trimOutOfBand: ({ rows }: Rows, options: Options) => account(trimOutOfBand(rows, options)),
  trimUnanimousGroups: ({ rows }: Rows, options: Options) => account(trimUnanimousGroups(rows, options)),
  carryCalibration: (input: { readonly graded: JsonObject[]; readonly kept: JsonObject[] }, options: Options) => {
    const { rows, report } = carryCalibration(input.graded, input.kept, options);
    return { report, stamps: stampsOf(rows) };
  },
  calibrate: ({ rows }: Rows, options: Options) => {
    const { rows: stamped, report } = calibrate(rows, options);
    return { report, stamps: stampsOf(stamped) };
  },
  nextRound: ({ prior, tasks }: { readonly prior: JsonObject[]; readonly tasks?: JsonObject[] }, options: Options) => {
    const { tasks: kept, ...report } = nextRound(prior, { ...options, ...(tasks ? { tasks } : {}) });
    return { ...report, task_keys: kept.map(taskKey), calibrations: stampsOf(kept) };
  },
};
