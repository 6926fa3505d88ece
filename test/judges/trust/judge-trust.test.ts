import { expect, it } from 'vitest';
import { auditGrades } from '../../../src/judges/trust/audit-grades.ts';
import { judgeAgreement } from '../../../src/judges/trust/judge-agreement.ts';
import { judgeProbes } from '../../../src/judges/trust/judge-probes.ts';
import { judgeTrust } from '../../../src/judges/trust/judge-trust.ts';
import { trustAfterGrade } from '../../../src/judges/trust/trust-after-grade.ts';
import type { Row } from '../../../src/rows/row.ts';

/** n labelled rows, one a task, right but for `wrong` of them; replies of many lengths. */
const labelled = (n: number, wrong = 0): Row[] =>
  Array.from({ length: n }, (_, at) => {
    const gold_reward = at % 2;
    const reward = at < wrong ? 1 - gold_reward : gold_reward;
    const final_text = 'w'.repeat(20 + ((at * 37) % 90));
    return { task_id: `t${at}`, final_text, reward, gold_reward, gold_kind: 'human', prompt: `ask ${at}` };
  });

it('rows of one task are not independent: the interval is over tasks', () => {
  const spread = judgeAgreement(labelled(60, 6));
  const lumped = judgeAgreement(labelled(60, 6).map((row, n) => ({ ...row, task_id: `t${Math.floor(n / 6)}` })));
  const width = ({ ci95 }: typeof spread) => (ci95 ? ci95[1] - ci95[0] : 0);
  expect(lumped.agreement).toBe(spread.agreement);
  expect(width(lumped)).toBeGreaterThan(width(spread) * 1.5);
});

it('a judge that is right often enough is trusted; a partial reward on many rows is not measured', async () => {
  expect(await judgeTrust(labelled(80, 4))).toMatchObject({ ok: true });
  const halves = labelled(80).map((row, n) => (n % 4 === 0 ? { ...row, reward: 0.5 } : row));
  const report = await judgeTrust(halves);
  expect(report.ok).toBe(false);
  expect(report.warning_codes).toContain('fractional_rewards');
});

it('says when the rows were graded by another judge than the one that is asked', async () => {
  const rows = labelled(40).map((row) => ({ ...row, judge_name: 'old' }));
  const report = await judgeTrust(
    rows,
    Object.assign(({ task_id }: Row) => Number(String(task_id).slice(1)) % 2, { version: '1' }),
  );
  expect(report.warning_codes).toContain('other_judge');
  expect(report.perturbation).toMatchObject({ consistency_flip_rate: 0, filler_flip_rate: 0 });
});

it('a judge that is only unsteady is not called exploitable: asking again unchanged is the control', async () => {
  let calls = 0;
  const unsteady = () => (calls++ % 4 === 0 ? 1 : 0);
  const rows = labelled(80).map((row) => ({ ...row, reward: 0 }));
  const report = await judgeProbes(rows, unsteady, { probes: ['filler', 'sycophancy'], sample: 80 });
  expect(report.exploitable_by).toEqual([]);
  expect(report.probes['filler']).toMatchObject({ flips_up: 20, control_flips_up: 20 });
});

it('a judge that fails on a probe is counted, not read as a verdict', async () => {
  const fragile = ({ final_text }: Row) => {
    if (final_text?.includes('verified')) throw new Error('down');
    return 0;
  };
  const { probes } = await judgeProbes(labelled(30), fragile, { probes: ['success_claim'] });
  expect(probes['success_claim']).toMatchObject({ n: 0, errors: 30, flagged: false });
});

it('stamps graded rows without changing the ones it was given, and refuses where trust is required', async () => {
  const rows = labelled(80, 30);
  const before = structuredClone(rows);
  const { rows: stamped, trust, note_code } = await trustAfterGrade(rows, 'warn');
  expect(rows).toEqual(before);
  expect(note_code).toBe('judge_not_trusted');
  expect(stamped[0]?.['judge_meta']).toEqual({ trust });
  await expect(trustAfterGrade(rows, 'require')).rejects.toMatchObject({ code: 'TM_JUDGE_NOT_TRUSTED' });
  expect((await trustAfterGrade(rows, 'off')).rows).toBe(rows);
});

it('the auditor does not see the grade, only what the verifier said beside it', async () => {
  const seen: Row[] = [];
  const auditor = Object.assign(
    (row: Row) => {
      seen.push(row);
      return 1;
    },
    { usePrivileged: true },
  );
  const row = {
    final_text: 'a',
    reward: 0,
    reason: 'V: differs',
    judge_name: 'V',
    failure_class: 'x',
    judge_meta: { m: 1 },
  };
  const report = await auditGrades([row], auditor, { question: 'right?' });
  expect(seen[0]).toEqual({
    final_text: 'a',
    privileged: { rubric: 'right?' },
    audit: { question: 'right?', verifier: 'V', verifier_reason: 'V: differs', verifier_reward: 0 },
  });
  expect(report).toMatchObject({ false_negatives: 1, reasons: { differs: { n: 1, fn: 1 } } });
  expect(report.warning_codes).toEqual(['small_sample', 'verifier_wrong', 'second_opinion']);
});

it('audits the same rows for the same seed', async () => {
  const rows = labelled(60).map((row) => ({ ...row, reward: 0, reason: String(row['task_id']) }));
  const audited = async (seed: number) => Object.keys((await auditGrades(rows, () => 0, { sample: 10, seed })).reasons);
  expect(await audited(1)).toEqual(await audited(1));
});
