import { z } from 'zod';
import { accumulate } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { skipping } from '../../core/skipping.ts';
import { checklistWatch } from '../../judges/checklist/checklist-watch.ts';
import { checklistJudge } from '../../judges/checklist/task-checklist.ts';
import { judgeFromSpec } from '../../judges/from-spec.ts';
import { JudgeWatch } from '../../judges/judge-watch.ts';
import { evaluateStages } from '../../pipelines/evaluate.ts';
import { passAtFold } from '../../reports/pass-at/index.ts';
import { nextMeta } from '../../rows/run-meta.ts';
import { rowsSink } from '../../sinks/rows.ts';
import { writeRunMeta } from '../../sinks/run-meta.ts';
import { rowsSource } from '../../sources/rows.ts';
import { readRunMeta } from '../../sources/run-meta.ts';
import { defineCommand } from '../command.ts';
import { passCells, passHead } from '../figures.ts';
import { exits } from '../io.ts';
import { rejectionCounts, rejectionTable } from '../rejections.ts';
import { checkResume, isAllRejected, makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { checkSameRun } from '../same-run.ts';
import { statusCounts } from '../status-counts.ts';
import { table } from '../table.ts';

const options = z.strictObject({
  judge: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Who grades: exact_match, includes, regex:PATTERN, json_valid ..., or a module ./judge.mjs#name. Without it the checklist of conduct and outcome.',
    ),
  out: z.string().min(1).default('-').describe('File of graded rows to write; - is stdout.'),
  concurrency: z.int().min(1).default(8).describe('Calls of the judge at the same time.'),
  timeoutMs: z.int().min(1).default(120_000).describe('A call that takes longer has no verdict, in ms.'),
  resume: z.boolean().default(false).describe('Go on with a grading that was stopped.'),
  json: z.boolean().default(false).describe('Write the counts to stdout as JSON; needs --out.'),
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
  async run(paths, { judge: spec, out, concurrency, timeoutMs, resume, json }, io) {
    const [first = ''] = paths;
    const before = await readRunMeta(first);
    const tools = before?.tools ?? undefined;
    const judge = spec === undefined ? checklistJudge({ tools }) : await judgeFromSpec(spec);
    const checklist = spec === undefined ? checklistWatch() : undefined;
    const settings = { files: paths, judge: spec ?? 'task_checklist', timeout_ms: timeoutMs };
    if (resume) {
      await checkResume(paths, out);
      await checkSameRun(out, 'grade', settings);
    }
    await makeFolderOf(out);
    const watch = new JudgeWatch(tools as { readonly name?: string }[] | undefined);
    const passes = accumulate(passAtFold());
    const statuses = statusCounts();
    const sink = rowsSink(
      { path: out, isResumed: resume },
      {
        stop: io.stop,
        tell(row) {
          passes.add(row);
          statuses.add(row);
          checklist?.add(row);
        },
      },
    );
    await sink.open();
    const { counts, isStopped } = await runRows(io, {
      source: skipping(rowsSource({ paths: [...paths] }), sink.has),
      stages: evaluateStages({ maxConcurrent: concurrency, timeoutMs }, { judge, watch }),
      sinks: { graded: sink },
      rejected: rejectedBeside(out, { isResumed: resume }),
      maxInFlight: Math.max(64, concurrency * 2),
      words: (now) => `grade: ${rowsOf(now, 'judge', 'out')} of ${rowsOf(now, 'judge', 'in')} rows`,
    });
    if (out !== '-') await writeRunMeta(out, nextMeta(before, 'grade', settings));
    const report = {
      statuses: statuses.end(),
      pass_at: passes.end(),
      rejected: rejectionCounts(counts),
      ...watch.report(),
      judge: settings.judge,
      ...checklist?.report(),
    };
    if (json && out !== '-') io.out(`${stringifyJson(report)}\n`);
    else {
      const named = Object.entries(report.statuses).map(([status, n]) => [status, String(n.rows), n.error ?? '']);
      io.say(table(['status', 'rows', 'first error'], named));
      io.say(`\n${table([...passHead], [passCells(report.pass_at)])}`);
      if (report.statuses['ok'] === undefined && report.pass_at.n_rows_total > 0)
        io.say('Warning: no row got a verdict; rewards that rows had before are replaced by none');
      for (const said of [...report.warnings, ...report.pass_at.warnings]) io.say(`Warning: ${said}`);
      for (const said of checklist?.report().notes ?? []) io.say(said);
      io.say(`\n${rejectionTable(report.rejected)}`);
    }
    if (out !== '-') io.say(`\nRows: ${out}. Next: tracemill select ${out} --mode rl`);
    if (!isStopped) return isAllRejected(counts) ? exits.worldFailed : exits.done;
    io.say(
      `Stopped. Go on with: tracemill grade ${paths.join(' ')}${spec === undefined ? '' : ` --judge ${spec}`} --out ${out} --resume`,
    );
    return exits.stopped;
  },
});
