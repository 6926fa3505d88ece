import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { stringifyJson } from '../../src/core/json.ts';
import { exportRow } from '../../src/rows/export-row.ts';
import { fromRow } from '../../src/rows/from-row.ts';
import { toRow } from '../../src/rows/to-row.ts';
import { validateRow } from '../../src/rows/validate-row.ts';
import { environment, python } from './reference-sdk-home.ts';

interface Answer {
  readonly read: readonly {
    readonly problems: readonly string[];
    readonly task_id: string;
    readonly rollout_id: string;
    readonly reward: number | null;
    readonly back: Readonly<Record<string, unknown>>;
  }[];
  readonly own: readonly Readonly<Record<string, unknown>>[];
}

const rows = [
  {
    prompt: 'Cancel order 7',
    scenario_id: 'sc-1',
    steps: [
      { tool: 'cancel', arguments: { id: 7 }, result: { status: 'ok' }, text: 'One moment.', n_tokens: 9 },
      { user: 'thanks' },
      { text: 'Done.' },
    ],
    final_text: 'Done.',
    stance: 'hurried',
    world_state: 'entity exists',
    faults: { cancel: { mode: 'timeout', rate: 0.5 } },
    rollout_index: 2,
    model_version: 'm',
    policy_version: 'm@0123456789abcdef',
    reward: 0.25,
    reason: 'late',
    judge_name: 'J',
    judge_status: 'ok',
    judge_meta: { version: '2' },
    markers: { honest: 1 },
    ts: 1_760_000_000_000_000_001n,
    calibration: { n: 8, pass_rate: 0.5, student: { name: 'a', model: 'm' } },
  },
  { prompt: 'p', steps: [], final_text: 'f', reward: null, judge_name: 'J', judge_status: 'timeout' },
].map(exportRow);

it('the reference SDK reads our rows and we read its rows', ({ skip }) => {
  const missing = environment();
  if (missing !== undefined && !process.env['CI']) skip(`no reference SDK: ${missing}`);
  expect(missing).toBeUndefined();
  const { stdout, stderr, status } = spawnSync(python, ['test/e2e/reference-sdk.py'], {
    input: rows.map((row) => `${stringifyJson(row)}\n`).join(''),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const answer = JSON.parse(stdout) as Answer;

  for (const [n, row] of rows.entries()) {
    const { task, rollout, judgments } = fromRow(row);
    const theirs = answer.read[n];
    expect(theirs).toMatchObject({
      problems: [],
      task_id: task.task_id,
      rollout_id: rollout.rollout_id,
      reward: judgments[0]?.reward ?? null,
    });
    const { ts, ...back } = toRow(fromRow(row));
    expect(theirs?.back).toMatchObject(Object.keys(back).includes('calibration') ? { ...back, calibration: {} } : back);
    expect(stdout).toContain(ts === undefined ? '' : String(ts)); // every digit came back
  }
  for (const row of answer.own) {
    expect(validateRow(row)).toEqual([]);
    expect(toRow(fromRow(row))).toEqual(row);
    expect(exportRow(row)).toMatchObject({ prompt: row['prompt'], steps: row['steps'], final_text: row['final_text'] });
  }
});
