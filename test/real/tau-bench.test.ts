import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { testIo } from '../cli/test-io.ts';

/** Real files are third-party and stay outside the repository. */
const real = process.env['TRACEMILL_REAL'] ?? '../shared/real';
const files = ['airline_gpt4o_part1.json', 'airline_gpt4o_part2.json'].map((name) => join(real, 'tau-bench', name));
const isThere = files.every((file) => existsSync(file));
if (!isThere) process.stderr.write(`real files: skipped, ${real} is not there\n`);

async function call(...argv: string[]) {
  const { io, out, said } = testIo();
  const exit = await cli(commands, '0', argv, io);
  expect([exit, said()]).toEqual([0, expect.any(String)]);
  return JSON.parse(out() || '{}');
}

describe.skipIf(!isThere && !process.env['CI'])('tau-bench airline results', () => {
  it('80 rows in 20 tasks of 4, their calls and results, the published pass rates, 16 mixed tasks', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tracemill-tau-'));
    const at = (name: string) => join(folder, name);
    const imported = await call('import', ...files, '--out', at('tau.jsonl'), '--json');
    expect(imported).toMatchObject({
      n_rows: 80,
      n_tasks: 20,
      n_graded: 80,
      n_calls: 535,
      n_results: 535,
      rejected: [],
    });
    expect(imported.files).toMatchObject({
      'airline_gpt4o_part1.json': { n_calls: 231 },
      'airline_gpt4o_part2.json': { n_calls: 304 },
    });

    const expected = JSON.parse(await readFile(join(real, 'expected.json'), 'utf8'));
    const report = await call('report', at('tau.jsonl'), '--by', 'source_file', '--json');
    expect(report.pass_at_1).toBeCloseTo(0.475, 9);
    expect(report.ci95[0]).toBeLessThan(0.475);
    for (const file of files) {
      const listed = expected.find((one: { file: string }) => file.endsWith(one.file));
      expect(report.by[basename(file)].pass_at_1).toBeCloseTo(listed.pass_at_1, 6);
      expect(report.by[basename(file)].pass_pow_k).toBeCloseTo(listed.pass_pow_4, 6);
      expect(report.by[basename(file)].pass_at_k).toBeCloseTo(listed.pass_at_4, 6);
    }

    for (const [truncated, rows] of [
      ['drop', 63],
      ['keep', 64],
    ] as const) {
      const selected = await call(
        'select',
        at('tau.jsonl'),
        '--mode',
        'rl',
        '--truncated',
        truncated,
        '--out',
        at('sel.jsonl'),
        '--json',
      );
      expect(selected).toMatchObject({ n: 80, n_selected: rows, groups_selected: 16 });
      const gone = Object.fromEntries(
        selected.rejected.map(({ reason, rows: n }: { reason: string; rows: number }) => [reason, n]),
      );
      expect(gone).toEqual({ always_solved: 12, never_solved: 4, ...(truncated === 'drop' && { truncated: 1 }) });
      const exported = await call('export', at('sel.jsonl'), '--format', 'trl', '--out', at('train.jsonl'), '--json');
      expect(exported.n_written).toBe(rows);
    }
  });
});
