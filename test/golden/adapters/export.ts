import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { taskChecklist } from '../../../src/judges/checklist/task-checklist.ts';
import { conductGrade } from '../../../src/judges/conduct/conduct-grade.ts';
import { buildTasks } from '../../../src/reports/export/build-tasks.ts';
import { lossMask } from '../../../src/reports/export/loss-mask.ts';
import { toTrl } from '../../../src/reports/export/to-trl.ts';
import { toolCallRoundtrip } from '../../../src/reports/export/tool-call-roundtrip.ts';
import { trainingRows } from '../../../src/reports/export/training-rows.ts';
import { exportEnvironment } from '../../../src/sinks/environment/export-environment.ts';
import { exportPreference } from '../../../src/sinks/preference-pairs.ts';
import { exportDataset } from '../../../src/sinks/training-set.ts';
import type { Adapters } from '../run-case.ts';

type Row = Readonly<Record<string, unknown>>;
interface Rows {
  readonly rows: readonly Row[];
}

/** Training files: what is in them, and what is said of them. */
export const adapters: Adapters = {
  conductGrade: ({ rows }: Rows, options: Parameters<typeof conductGrade>[1]) =>
    rows.map((row) => ({ id: row['id'], ...conductGrade(row, options) })),
  taskChecklist: ({ rows }: Rows) =>
    rows.map((row) => {
      const { reward, markers } = taskChecklist(row);
      return { id: row['id'], reward, markers, has_outcome_rule: markers['outcome_checked'] === 1 };
    }),
  buildTasks: ({ rows }: Rows, options: Parameters<typeof buildTasks>[1]) => buildTasks(rows, options),
  async exportEnvironment({ rows }: Rows, options: Parameters<typeof exportEnvironment>[2]) {
    const folder = await mkdtemp(join(tmpdir(), 'golden-'));
    try {
      const out = join(folder, 'my-agent');
      const report = await exportEnvironment(rows, out, options);
      const read = (path: string) => readFile(join(out, 'my_agent', path), 'utf8');
      const idsOf = async (split: string) =>
        (await read(`data/${split}.jsonl`))
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line).example_id);
      return {
        report,
        files: report.files,
        n_warnings: report.warnings.length,
        spec: JSON.parse(await read('spec.json')),
        example_ids: { train: await idsOf('train'), holdout: await idsOf('holdout') },
      };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  lossMask: ({ messages }: { readonly messages: readonly Row[] }, options: Parameters<typeof lossMask>[1]) =>
    lossMask(messages, options),
  toTrl: ({ rows }: Rows, options: Parameters<typeof toTrl>[1]) => toTrl(rows, options),
  toolCallRoundtrip: ({ rows }: Rows, options: Parameters<typeof toolCallRoundtrip>[1]) =>
    toolCallRoundtrip(rows, options),
  trainingRows: ({ rows }: Rows, options: Parameters<typeof trainingRows>[1]) => trainingRows(rows, options),
  async exportDataset({ rows }: Rows, options: Parameters<typeof exportDataset>[2]) {
    const folder = await mkdtemp(join(tmpdir(), 'golden-'));
    try {
      const report = await exportDataset(rows, join(folder, 'set.jsonl'), options);
      const written = (await rowsOf(report.path)) ?? [];
      const { warning_codes, columns, no_completion_dropped } = report;
      return { report, warning_codes, columns, n_lines: written.length, rows: written, no_completion_dropped };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  async exportPreference(
    { pairs }: { readonly pairs: readonly Row[] },
    options: Parameters<typeof exportPreference>[2],
  ) {
    const folder = await mkdtemp(join(tmpdir(), 'golden-'));
    try {
      const report = await exportPreference(pairs, join(folder, 'pairs.jsonl'), options);
      const { warning_codes, no_completion_dropped = 0, trl_turns_cut = 0 } = report;
      const rows = await rowsOf(report.path);
      return { report, warning_codes, rows, pairs: report.pairs, no_completion_dropped, trl_turns_cut };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function rowsOf(path: string | null): Promise<unknown[] | null> {
  if (path === null) return null;
  return (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
