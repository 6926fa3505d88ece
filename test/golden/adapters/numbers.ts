import { referenceLogprobs, type Transport } from '../../../src/models/reference-logprobs.ts';
import { compareRuns } from '../../../src/reports/compare-runs.ts';
import { curriculum } from '../../../src/reports/curriculum/curriculum.ts';
import { retireSolved } from '../../../src/reports/curriculum/retire-solved.ts';
import { deltaReport } from '../../../src/reports/delta/index.ts';
import { evalVariance } from '../../../src/reports/eval-variance.ts';
import { groupSignal } from '../../../src/reports/group-signal.ts';
import { logprobReport } from '../../../src/reports/logprobs/logprob-report.ts';
import { meanKl } from '../../../src/reports/logprobs/mean-kl.ts';
import { stalenessReport } from '../../../src/reports/logprobs/staleness-report.ts';
import { markerSummary } from '../../../src/reports/marker-summary.ts';
import { metricSummary } from '../../../src/reports/metric-summary.ts';
import { passAt } from '../../../src/reports/pass-at/index.ts';
import { refusalReport } from '../../../src/reports/refusal-report.ts';
import { runConfig } from '../../../src/reports/run-config.ts';
import { detectableEffect } from '../../../src/reports/sizing/detectable-effect.ts';
import { holdoutSize } from '../../../src/reports/sizing/holdout-size.ts';
import { stageReport } from '../../../src/reports/stage-report.ts';
import { loadSpec, stampSpec } from '../../../src/rows/spec.ts';
import { stampStage } from '../../../src/rows/stage.ts';
import { rowKey, taskKey } from '../../../src/rows/task-key.ts';
import { adjustPValues } from '../../../src/stats/adjust-p-values.ts';
import { bootstrapCi } from '../../../src/stats/bootstrap.ts';
import { noiseBand } from '../../../src/stats/noise-band.ts';
import { passAtK } from '../../../src/stats/pass-at-k.ts';
import { signFlipTest } from '../../../src/stats/sign-flip.ts';
import { tInterval } from '../../../src/stats/t-interval.ts';
import { wilsonInterval } from '../../../src/stats/wilson.ts';
import type { Adapters } from '../run-case.ts';

type Row = Readonly<Record<string, unknown>>;
interface OneRow {
  readonly row: Row;
}
interface Rows {
  readonly rows: readonly Row[];
}
interface Diffs {
  readonly diffs: readonly number[];
}

interface ReferenceCase {
  readonly ref: string;
  readonly transport: {
    readonly prefix_tokens_by_message_count: Readonly<Record<string, number>>;
    readonly full_reply_by_message_count: Readonly<Record<string, unknown>>;
  };
}

/** Statistics and the reports over them. */
export const adapters: Adapters = {
  taskKey: ({ row }: OneRow) => ({ key: taskKey(row) }),
  rowKey: ({ row }: OneRow) => ({ key: rowKey(row) }),
  passAtK: ({ n, c, k }: Record<'n' | 'c' | 'k', number>) => passAtK(n, c, k),
  wilsonInterval: ({ successes, n }: Record<'successes' | 'n', number>) => ({ interval: wilsonInterval(successes, n) }),
  bootstrapCi: ({ values }: { values: number[] }, { nBoot = 2000 }: { nBoot?: number }) => ({
    interval: bootstrapCi(values, { nBoot }),
  }),
  signFlipTest: ({ diffs }: Diffs) => signFlipTest(diffs),
  pairedT: ({ diffs }: Diffs) => ({ interval: tInterval(diffs) }),
  passAt: ({ rows }: Rows, options: object) => passAt(rows, options),
  groupSignal: ({ rows }: Rows, options: object) => groupSignal(rows, options),
  runConfig: ({ rows }: Rows, options: object) => runConfig(rows, options),
  metricSummary: ({ rows }: Rows, options: object) => metricSummary(rows, options),
  markerSummary: ({ rows }: Rows, options: object) => markerSummary(rows, options),
  compareRuns: ({ a, b }: Record<'a' | 'b', Row[]>, options: object) => compareRuns(a, b, options),
  deltaReport: ({ before, after }: Record<'before' | 'after', Row[]>, options: object) =>
    deltaReport(before, after, options),
  evalVariance: ({ runs }: { runs: Row[][] }, options: object) => evalVariance(runs, options),
  noiseBand: ({ run_std, n_a, n_b, df }: Record<'run_std' | 'n_a' | 'n_b', number> & { df: number | null }) => ({
    band: noiseBand(run_std, n_a, n_b, df ?? undefined),
  }),
  holdoutSize: ({ effect, ...rows }: { effect: number; before?: Row[]; after?: Row[] }, options: object) =>
    holdoutSize(effect, { ...rows, ...options }),
  detectableEffect: ({ n_tasks }: { n_tasks: number }, options: object) => ({
    effect: detectableEffect(n_tasks, options),
  }),
  curriculum: ({ rows }: Rows, options: object) => curriculum(rows, options),
  retireSolved({ rows }: Rows, options: object) {
    const { kept } = retireSolved(rows, options);
    return { kept_tasks: [...new Set(kept.map(taskKey))], n_kept: kept.length };
  },
  logprobReport: ({ rows }: Rows) => logprobReport(rows),
  meanKl: ({ rows, ref }: Rows & { ref?: string | Row[] }) => meanKl(rows, ref),
  stalenessReport: ({ rows }: Rows, options: object) => stalenessReport(rows, options),
  refusalReport({ rows }: Rows) {
    const report = refusalReport(rows);
    return { ...report, example_prompts: report.examples.map(({ prompt }) => prompt) };
  },
  stageReport: ({ rows }: Rows) => stageReport(rows),
  stampStage: ({ rows }: Rows, { stage }: { stage: string }) => ({ rows: stampStage(rows, stage) }),
  loadSpec: ({ spec }: { spec: unknown }, options: object) => loadSpec(spec, options),
  stampSpec: ({ rows, spec }: Rows & { spec: unknown }) => ({ rows: stampSpec(rows, loadSpec(spec)) }),
  async referenceLogprobs({ rows }: Rows, { ref, transport }: ReferenceCase) {
    const answer: Transport = async ({ messages, prompt_logprobs }) => {
      const count = String((messages as readonly unknown[]).length);
      return prompt_logprobs === undefined
        ? { usage: { prompt_tokens: transport.prefix_tokens_by_message_count[count] } }
        : transport.full_reply_by_message_count[count];
    };
    const { rows: stamped, report } = await referenceLogprobs(rows, ref, { transport: answer });
    const column = (name: string) => stamped.map((row) => row[name] ?? null);
    const columns = ['ref_logprob', 'ref_n_tokens', 'ref_model'].map((name) => [name, column(name)] as const);
    return { report: { ...report, errors: report.errors.length }, ...Object.fromEntries(columns) };
  },
  adjustPValues: ({ p_values }: { p_values: number[] }) => adjustPValues(p_values),
};
