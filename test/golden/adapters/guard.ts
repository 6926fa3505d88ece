import type { JsonObject } from '../../../src/core/json-object.ts';
import { dedupeGroups } from '../../../src/reports/guard/dedupe-groups.ts';
import { hackScan } from '../../../src/reports/guard/hack/hack-scan.ts';
import { hackScanDiff } from '../../../src/reports/guard/hack/hack-scan-diff.ts';
import { leakReport } from '../../../src/reports/guard/leak-report.ts';
import { lengthReport } from '../../../src/reports/guard/length-report.ts';
import { nearDuplicatePrompts } from '../../../src/reports/guard/near-duplicate-prompts.ts';
import { rewardCorrelations } from '../../../src/reports/guard/reward-correlations.ts';
import { styleMarkers } from '../../../src/reports/guard/style-markers.ts';
import { styleReport } from '../../../src/reports/guard/style-report.ts';
import { stepKind } from '../../../src/reports/guard/trace/step-kind.ts';
import { traceFlagReport } from '../../../src/reports/guard/trace/trace-flag-report.ts';
import { traceFlags } from '../../../src/reports/guard/trace/trace-flags.ts';
import { traceMarkers } from '../../../src/reports/guard/trace/trace-markers.ts';
import type { Adapters } from '../run-case.ts';

type Rows = { readonly rows: readonly JsonObject[] };
type Options = Record<string, never>;

const idsOf = (rows: readonly JsonObject[]) => rows.map(({ id }) => id);

export const adapters: Adapters = {
  dedupeGroups: ({ rows }: Rows) => {
    const { kept, report } = dedupeGroups(rows);
    return { kept_ids: idsOf(kept), report };
  },
  nearDuplicatePrompts: ({ prompts }: { readonly prompts: readonly string[] }, options: Options) =>
    nearDuplicatePrompts(prompts, options),
  lengthReport: ({ rows }: Rows, options: Options) => lengthReport(rows, options),
  hackScan: ({ rows }: Rows, options: Options) => hackScan(rows, options),
  hackScanDiff: (input: { readonly before: JsonObject[]; readonly after: JsonObject[] }, options: Options) => {
    const { warnings, gained, ...report } = hackScanDiff(input.before, input.after, options);
    return {
      ...report,
      gained_top: gained[0]?.name ?? null,
      gained_top_endorsed: gained[0]?.endorsed ?? false,
      n_warnings: warnings.length,
    };
  },
  rewardCorrelations: ({ rows }: Rows) => rewardCorrelations(rows),
  leakReport: ({ rows }: Rows, options: Options) => leakReport(rows, options),
  styleMarkers: ({ rows, texts }: Rows & { readonly texts?: readonly string[] }, options: Options) =>
    texts
      ? texts.map((text) => ({ text, markers: styleMarkers([{ final_text: text }], options)[0]?.markers }))
      : styleMarkers(rows, options).map(({ markers }) => ({ markers })),
  styleReport: ({ rows }: Rows, options: Options) => {
    const report = styleReport(rows, options);
    return { ...report, n_warnings: report.warnings.length };
  },
  traceFlags: ({ rows }: Rows, options: Options) =>
    rows.map((row) => ({ id: row['id'], flags: Object.keys(traceFlags(row, options)).sort() })),
  stepKind: ({ calls }: { readonly calls: readonly { readonly tool: string; readonly arguments: JsonObject }[] }) =>
    calls.map((call) => ({ tool: call.tool, kind: stepKind(call) })),
  traceMarkers: ({ rows }: Rows) =>
    traceMarkers(rows).map((row) => ({
      id: (row as JsonObject)['id'],
      markers: row.markers,
      flags: Object.keys(traceFlags(row)).sort(),
    })),
  traceFlagReport: ({ rows }: Rows, options: Options) => {
    const { flags, markers, warnings, ...report } = traceFlagReport(rows, options);
    return {
      ...report,
      flags: Object.fromEntries(
        Object.entries(flags).map(([flag, { examples, ...one }]) => [flag, { ...one, n_examples: examples.length }]),
      ),
      markers_clean: Object.fromEntries(Object.entries(markers).map(([marker, { clean }]) => [marker, clean])),
      n_warnings: warnings.length,
    };
  },
};
