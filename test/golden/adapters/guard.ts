import type { JsonObject } from '../../../src/core/json-object.ts';
import { decontaminate } from '../../../src/reports/guard/decontaminate/index.ts';
import { dedupeGroups } from '../../../src/reports/guard/dedupe-groups.ts';
import { groundingReport, markGrounding } from '../../../src/reports/guard/grounding-report.ts';
import { hackScan } from '../../../src/reports/guard/hack/hack-scan.ts';
import { hackScanDiff } from '../../../src/reports/guard/hack/hack-scan-diff.ts';
import { leakReport } from '../../../src/reports/guard/leak-report.ts';
import { lengthReport } from '../../../src/reports/guard/length-report.ts';
import { nearDuplicatePrompts } from '../../../src/reports/guard/near-duplicate-prompts.ts';
import { publishGate } from '../../../src/reports/guard/publish-gate.ts';
import { rewardCorrelations } from '../../../src/reports/guard/reward-correlations.ts';
import { styleMarkers } from '../../../src/reports/guard/style-markers.ts';
import { styleReport } from '../../../src/reports/guard/style-report.ts';
import { stepKind } from '../../../src/reports/guard/trace/step-kind.ts';
import { traceFlagReport } from '../../../src/reports/guard/trace/trace-flag-report.ts';
import { traceFlags } from '../../../src/reports/guard/trace/trace-flags.ts';
import { traceMarkers } from '../../../src/reports/guard/trace/trace-markers.ts';
import { ungroundedArguments } from '../../../src/reports/guard/ungrounded-arguments.ts';
import { hashEmbed } from '../../../src/text/hash-embed.ts';
import type { Adapters } from '../run-case.ts';

type Rows = { readonly rows: readonly JsonObject[] };
type Options = Record<string, never>;

const idsOf = (rows: readonly JsonObject[]) => rows.map(({ id }) => id);

interface Against extends Rows {
  readonly against: readonly unknown[];
  readonly embeddings?: Readonly<Record<string, readonly number[]>>;
}

export const adapters: Adapters = {
  hashEmbed: ({ texts }: { readonly texts: readonly string[] }) =>
    texts.map((text) => ({
      text,
      nonzero: Object.fromEntries([...hashEmbed(text)].flatMap((value, at) => (value === 0 ? [] : [[at, value]]))),
    })),
  decontaminate: ({ rows, against, embeddings }: Against, options: Options) => {
    const embedder = embeddings && { embedder: (text: string) => embeddings[text] };
    const { kept, report } = decontaminate(rows, against, { ...options, ...embedder });
    return { kept_ids: idsOf(kept), report, n_notes: report.notes.length };
  },
  ungroundedArguments: ({ rows }: Rows, options: Options) =>
    rows.map((row) => {
      const ungrounded = ungroundedArguments(row, options);
      return { id: row['id'], ungrounded, marker: markGrounding([row], options)[0]?.markers['argument_grounding'] };
    }),
  markGrounding: ({ rows }: Rows) =>
    markGrounding(rows).map((row) => ({ id: row['id'], argument_grounding: row.markers['argument_grounding'] })),
  groundingReport: ({ rows }: Rows) => groundingReport(rows),
  publishGate: ({ rows }: Rows, options: Options) => {
    const { rows: stamped, report } = publishGate(rows, { strict: false, ...options });
    const stamps = stamped.map(({ calibration }) => (calibration as JsonObject | undefined)?.['pass_rate'] ?? null);
    return {
      ...report,
      refusal_code: report.refusal?.code ?? null,
      hack_scan_regime: report.hack_scan?.regime ?? null,
      duplicates_dropped: report.duplicates.n_dropped,
      stamps,
    };
  },
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
