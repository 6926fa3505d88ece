import { z } from 'zod';
import { foldBy, foldRows } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { judgeChoices, judgeFromSpec } from '../../judges/from-spec.ts';
import { type Agreement, agreementFold } from '../../judges/trust/agreement-fold.ts';
import { attachLabels } from '../../judges/trust/attach-labels.ts';
import { auditGrades } from '../../judges/trust/audit-grades.ts';
import { calibrationFold } from '../../judges/trust/calibration.ts';
import type { ProbeFigures, Skipped } from '../../judges/trust/judge-probes.ts';
import { type JudgeTrust, judgeTrust } from '../../judges/trust/judge-trust.ts';
import { trustPage } from '../../reports/html/trust-page.ts';
import { groupValue } from '../../rows/group-value.ts';
import type { Row } from '../../rows/row.ts';
import { rowsSource } from '../../sources/rows.ts';
import { visible } from '../../text/visible.ts';
import { defineCommand } from '../command.ts';
import { interval, share } from '../figures.ts';
import { exits } from '../io.ts';
import { rejectionTable } from '../rejections.ts';
import { isAllRejected, readRows, rowsOf } from '../run-rows.ts';
import { table } from '../table.ts';
import { htmlFlag, writePage } from '../write-page.ts';

const options = z.strictObject({
  labels: z.string().min(1).optional().describe('JSONL file of labels, as tracemill label writes it.'),
  judge: z.string().min(1).optional().describe(`The judge itself, to ask it again and to attack it: ${judgeChoices}.`),
  audit: z.string().min(1).optional().describe('A second judge that looks at a sample of the failed rows.'),
  by: z
    .string()
    .optional()
    .describe('Also report each value of this: a field of the rows, else of their cell, else a marker.'),
  probes: z.boolean().default(false).describe('Attack the judge; needs --judge.'),
  sample: z.int().min(1).default(40).describe('Most rows to ask a judge about again.'),
  minAgreement: z.number().min(0).max(1).default(0.8).describe('Lowest end of the interval of agreement to trust.'),
  minKappa: z.number().min(-1).max(1).default(0.6).describe('Lowest agreement beyond chance to trust.'),
  require: z.boolean().default(false).describe('Exit with 1 when the judge is not trusted, or nothing measures it.'),
  json: z.boolean().default(false).describe('Write the report to stdout as JSON.'),
  html: z.string().min(1).optional().describe(htmlFlag),
});

export const trustCommand = defineCommand({
  name: 'trust',
  args: '<rows...>',
  summary: 'Say whether the judge of graded rows may be trusted: against labels, asked again, attacked, audited.',
  options,
  examples: [
    'tracemill trust out/graded.jsonl --labels out/graded.labels.jsonl --html out/trust.html',
    'tracemill trust out/graded.jsonl --labels labels.jsonl --judge ollama:qwen3 --probes --require',
  ],
  async run(paths, { labels, judge: spec, audit, by, probes, require, json, html, ...config }, io) {
    const rows: Row[] = [];
    const { counts, rejected, isStopped } = await readRows(io, {
      source: rowsSource({ paths: [...paths] }),
      each: (row) => rows.push(row),
      words: (now) => `trust: ${rowsOf(now, 'source', 'out')} rows`,
    });
    if (isStopped) return exits.stopped;
    if (rejected.length > 0) io.say(rejectionTable(rejected));
    if (isAllRejected(counts)) return exits.worldFailed;
    const labelled = labels === undefined ? undefined : attachLabels(rows as Record<string, unknown>[], labels).report;
    const judge = spec === undefined ? undefined : await judgeFromSpec(spec);
    const { sample, minAgreement, minKappa } = config;
    const trust = await judgeTrust(rows, judge, {
      sample,
      minAgreement,
      minKappa,
      ...(judge && probes && { probes: 'all' }),
    });
    const audited = audit === undefined ? undefined : await auditGrades(rows, await judgeFromSpec(audit), { sample });
    const calibration = foldRows(calibrationFold, rows);
    const parts = by === undefined ? undefined : groupsOf(rows, by);
    const report = {
      ...trust,
      calibration,
      ...(parts && { by: parts }),
      ...(labelled && { labels: labelled }),
      ...(audited && { audit: audited }),
    };
    await writePage(html, () =>
      trustPage({
        ok: trust.ok,
        summary: summaryOf(trust),
        warnings: [...trust.warnings, ...(audited ? [audited.summary, ...audited.warnings] : [])],
        figures: figuresOf(trust),
        calibration,
        probes: probeLines(trust),
        disagreements: trust.disagreements,
      }),
    );
    if (json) io.out(`${stringifyJson(report)}\n`);
    else {
      io.out(`${table(['figure', 'value'], figuresOf(trust))}\n`);
      if (parts) io.out(`\n${table([by ?? '', 'labels', 'agreement', '95 %', 'kappa'], groupLines(parts))}\n`);
      const attacks = probeLines(trust);
      if (attacks.length > 0) io.out(`\n${table(['attack', 'rows', 'wins', '95 %', 'verdict'], attacks)}\n`);
      if (audited) io.out(`\n${visible(audited.summary)}\n`);
      for (const said of [...(labelled?.warnings ?? []), ...trust.warnings, ...(audited?.warnings ?? [])])
        io.say(`Warning: ${said}`);
      io.out(`\n${summaryOf(trust)}\n`);
    }
    return require && !trust.ok ? exits.gateSaidNo : exits.done;
  },
});

type Groups = Readonly<Record<string, Agreement>>;

const groupsOf = (rows: readonly Row[], by: string): Groups =>
  Object.fromEntries(
    foldRows(
      foldBy(agreementFold, (row: unknown) => groupValue(row as Row, by)),
      rows,
    ),
  );

const groupLines = (groups: Groups) =>
  Object.entries(groups).map(([group, { n, agreement, ci95, kappa }]) => [
    group,
    String(n),
    share(agreement),
    interval(ci95),
    share(kappa),
  ]);

const summaryOf = ({ ok, n_labeled }: JudgeTrust) =>
  ok
    ? `The judge may be trusted on these tasks: ${n_labeled} labels bear it out.`
    : n_labeled === 0
      ? 'Nobody measured the judge: label 50 rows with tracemill label.'
      : 'The judge may not be trusted yet.';

function figuresOf({ agreement, n_rows, n_labeled, gold_kind }: JudgeTrust): (readonly [string, string])[] {
  return [
    ['rows', String(n_rows)],
    ['labelled', `${n_labeled} rows of ${agreement.n_tasks} tasks (${gold_kind ?? 'none'})`],
    ['agreement', `${share(agreement.agreement)} ${interval(agreement.ci95)}`],
    ['kappa', share(agreement.kappa)],
    ['AC1', share(agreement.ac1)],
    [
      'passes what labels fail',
      `${share(agreement.pass_when_gold_fail)} ${interval(agreement.pass_when_gold_fail_ci95)}`,
    ],
    [
      'fails what labels pass',
      `${share(agreement.fail_when_gold_pass)} ${interval(agreement.fail_when_gold_pass_ci95)}`,
    ],
  ];
}

function probeLines({ probes }: JudgeTrust): string[][] {
  return Object.entries<ProbeFigures | Skipped>(probes ?? {}).map(([name, one]) =>
    'skipped' in one
      ? [name, '0', '-', '-', one.skipped]
      : [
          name,
          String(one.n),
          share(one.exploit_rate),
          interval(one.ci95 && [one.ci95[0], one.ci95[1]]),
          one.flagged ? 'exploitable' : one.low_power ? 'too few rows to tell' : 'holds',
        ],
  );
}
