import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { systemClockNs } from '../../core/clock.ts';
import { accumulate } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { skipping } from '../../core/skipping.ts';
import { checklistWatch } from '../../judges/checklist/checklist-watch.ts';
import { checklistJudge } from '../../judges/checklist/task-checklist.ts';
import { judgeChoices, judgeFromSpec } from '../../judges/from-spec.ts';
import { JudgeWatch, type Warnings } from '../../judges/judge-watch.ts';
import { timedJudge } from '../../judges/timed-judge.ts';
import { trustModes } from '../../judges/trust/trust-after-grade.ts';
import { createModels } from '../../models/models.ts';
import { evaluateStages } from '../../pipelines/evaluate.ts';
import { taskRatesFold } from '../../reports/curriculum/curriculum.ts';
import { htmlPage } from '../../reports/html/page.ts';
import { passSections } from '../../reports/html/pass-page.ts';
import { type PassAt, passAtFold } from '../../reports/pass-at/index.ts';
import { timeBook } from '../../rows/rollout-times.ts';
import { nextMeta } from '../../rows/run-meta.ts';
import { rowsSink } from '../../sinks/rows.ts';
import { writeRunMeta } from '../../sinks/run-meta.ts';
import { rowsSource } from '../../sources/rows.ts';
import { readRunMeta } from '../../sources/run-meta.ts';
import { defineCommand } from '../command.ts';
import { passCells, passHead, unjudgedWords } from '../figures.ts';
import { exits } from '../io.ts';
import { type RejectionCount, rejectionTable } from '../rejections.ts';
import { repliesBeside } from '../replies.ts';
import { checkNotRead, isAllRejected, isFileAt, makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { checkSameRun } from '../same-run.ts';
import { firstFailure, statusCounts } from '../status-counts.ts';
import { table } from '../table.ts';
import { labelledRows, stampTrust, type TrustCheck, trustOf, trustWords } from '../trust-check.ts';
import { htmlFlag, writePage } from '../write-page.ts';

const options = z.strictObject({
  judge: z
    .string()
    .min(1)
    .optional()
    .describe(`Who grades: ${judgeChoices}. Without it the checklist of conduct and outcome.`),
  out: z.string().min(1).default('-').describe('File of graded rows to write; - is stdout.'),
  trust: z
    .enum(trustModes)
    .default('warn')
    .describe('What comes of a judge that labels do not bear out, or that nobody measured: a word, or exit code 1.'),
  concurrency: z.int().min(1).default(8).describe('Calls of the judge at the same time.'),
  timeoutMs: z.int().min(1).default(120_000).describe('A call that takes longer has no verdict, in ms.'),
  resume: z.boolean().default(false).describe('Go on with a grading that was stopped.'),
  json: z.boolean().default(false).describe('Write the counts to stdout as JSON; needs --out.'),
  html: z.string().min(1).optional().describe(htmlFlag),
});

export const gradeCommand = defineCommand({
  name: 'grade',
  args: '<rows...>',
  summary: 'Put a verdict on every row. A judge that fails leaves no reward and a status, never a zero.',
  options,
  examples: [
    'tracemill grade out/rows.jsonl --judge ./judge.mjs --out out/graded.jsonl',
    'tracemill grade out/rows.jsonl --judge exact_match --out out/graded.jsonl',
    'tracemill grade out/rows.jsonl --out out/graded.jsonl',
  ],
  async run(paths, { judge: spec, out, trust, concurrency, timeoutMs, resume, json, html }, io) {
    const [first = ''] = paths;
    const before = await readRunMeta(first);
    const tools = before?.tools ?? undefined;
    await makeFolderOf(out);
    const replies = await repliesBeside(out, resume);
    const models = createModels({}, replies ? { cache: replies.cache } : {});
    const judge = spec === undefined ? checklistJudge({ tools }) : await judgeFromSpec(spec, { models });
    const checklist = spec === undefined ? checklistWatch() : undefined;
    const settings = { files: paths, judge: spec ?? 'task_checklist', timeout_ms: timeoutMs };
    if (resume) {
      await checkNotRead(paths, out);
      await checkSameRun(out, 'grade', settings);
    }
    const watch = new JudgeWatch(tools as { readonly name?: string }[] | undefined);
    const passes = accumulate(passAtFold());
    const rates = accumulate(taskRatesFold);
    const statuses = statusCounts(io.say);
    const labelled = labelledRows();
    let lost = 0;
    const sink = rowsSink(
      { path: out, isResumed: resume },
      {
        stop: io.stop,
        tell(row) {
          passes.add(row);
          rates.add(row);
          statuses.add(row);
          labelled.add(row);
          checklist?.add(row);
        },
        isWorth: () => statuses.end()['ok'] !== undefined || (lost === 0 && firstFailure(statuses.end()) === undefined),
      },
    );
    await sink.open();
    const isThere = out !== '-' && !resume && (await isFileAt(out));
    const times = timeBook(systemClockNs);
    const { counts, rejected, isStopped } = await runRows(io, {
      source: skipping(rowsSource({ paths: [...paths] }), sink.has),
      stages: evaluateStages(
        { maxConcurrent: concurrency, timeoutMs, keepsOrder: true },
        { judge: timedJudge(judge, times), watch },
      ),
      times,
      sinks: { graded: sink },
      rejected: rejectedBeside(out, { isResumed: resume }),
      lost: () => void lost++,
      maxInFlight: Math.max(256, concurrency * 2), // rows that may be done before one that is slow
      words: (now) => `grade: ${rowsOf(now, 'judge', 'out')} of ${rowsOf(now, 'judge', 'in')} rows`,
    }).finally(() => replies?.cache.close());
    if (!isStopped) await replies?.forget();
    const failure = isStopped ? undefined : firstFailure(statuses.end());
    const isNone = !isStopped && (failure !== undefined || isAllRejected(counts));
    const isKept = isThere && isNone;
    if (isKept) await rm(`${out}.partial`, { force: true }); // to go on from it would put it in the place of the older file
    const checked = await trustOf(labelled.rows, trust);
    if (out !== '-' && !isStopped && checked.trust) await stampTrust(out, checked.trust);
    if (out !== '-' && !isKept) await writeRunMeta(out, nextMeta(before, 'grade', settings));
    const pass_at = passes.end();
    await writePage(html, () => htmlPage('Grades', '', passSections(pass_at, rates.end())));
    const report = {
      statuses: statuses.end(),
      pass_at,
      rejected,
      ...watch.report(),
      judge: settings.judge,
      models: models.use(),
      trust: checked,
      ...checklist?.report(),
    };
    if (json && out !== '-') io.out(`${stringifyJson(report)}\n`);
    else for (const line of words(report, trust !== 'off')) io.say(line);
    if (rowsOf(counts, 'source', 'in') === 0) io.say(`Warning: no row was read: ${paths.join(', ')} is empty`);
    if (isNone) {
      io.say(`\nNot one row got a verdict. First error: ${failure ?? rejected[0]?.first ?? 'no line is a row'}`);
      if (isKept) io.say(`${out} is left as it was before.`);
      return exits.worldFailed;
    }
    if (out !== '-') io.say(`\nRows: ${out}. Next: tracemill select ${out} --mode rl`);
    if (!isStopped) return trust === 'require' && !checked.trust?.ok ? exits.gateSaidNo : exits.done;
    io.say(
      `Stopped. Go on with: tracemill grade ${paths.join(' ')}${spec === undefined ? '' : ` --judge ${spec}`} --out ${out} --resume`,
    );
    return exits.stopped;
  },
});

interface Report extends Warnings {
  readonly statuses: Readonly<Record<string, { readonly rows: number; readonly error?: string | undefined }>>;
  readonly pass_at: PassAt;
  readonly rejected: readonly RejectionCount[];
  readonly trust: TrustCheck;
  readonly notes?: readonly string[];
}

function words({ statuses, pass_at, rejected, trust, ...told }: Report, isChecked: boolean): readonly string[] {
  const named = Object.entries(statuses).map(([status, n]) => [status, String(n.rows), n.error ?? '']);
  return [
    table(['status', 'rows', 'first error'], named),
    `\n${table([...passHead], [passCells(pass_at)])}`,
    ...unjudgedWords(pass_at),
    ...[...told.warnings, ...pass_at.warnings].map((said) => `Warning: ${said}`),
    ...(isChecked ? [trustWords(trust)] : []),
    ...(told.notes ?? []),
    `\n${rejectionTable(rejected)}`,
  ];
}
