import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { JudgeFunction } from '../../src/judges/judge.ts';
import { runJudge } from '../../src/judges/run-judge.ts';
import { deltaReport } from '../../src/reports/delta/index.ts';
import { passAt } from '../../src/reports/pass-at/index.ts';
import type { Row } from '../../src/rows/row.ts';

/** 100 rows of 25 tasks; the judge works on one row in ten, and says 1. */
const rows = Array.from({ length: 100 }, (_, n) => ({
  rollout_id: `r${n}`,
  scenario_id: `t${n % 25}`,
  final_text: String(n),
  privileged: { reference: 'SECRET-GOLD' },
}));
const works = (text: unknown) => Number(text) % 10 === 3;

const judges: Record<string, { readonly judge: JudgeFunction; readonly status: string }> = {
  down: {
    status: 'error',
    judge: ({ final_text }) => {
      if (works(final_text)) return 1;
      throw new Error('connect ECONNREFUSED');
    },
  },
  slow: {
    status: 'timeout',
    judge: async ({ final_text }, signal) => {
      if (!works(final_text)) await wait(60_000, undefined, { signal });
      return 1;
    },
  },
  'returning garbage': { status: 'invalid_result', judge: ({ final_text }) => (works(final_text) ? 1 : 'five stars') },
  'returning NaN': { status: 'invalid_result', judge: ({ final_text }) => (works(final_text) ? 1 : Number.NaN) },
  'returning nothing': { status: 'missing_reward', judge: ({ final_text }) => (works(final_text) ? 1 : {}) },
};

it.each(Object.entries(judges))('a judge that is %s for 90 of 100 rows', async (_, { judge, status }) => {
  const scored = await runJudge(rows, judge, { timeoutMs: 30, concurrency: 100 });
  expect(scored.rows.map(({ rollout_id }) => rollout_id)).toEqual(rows.map(({ rollout_id }) => rollout_id));
  expect(scored.unjudged()).toHaveLength(90);
  expect(new Set(scored.unjudged().map(({ judge_status }) => judge_status))).toEqual(new Set([status]));
  expect(scored.rows.every(({ reward }) => reward === 1 || reward === null)).toBe(true);
  expect(scored.failures()).toHaveLength(0);
  const figures = passAt(scored.rows);
  expect(figures).toMatchObject({ n_rows: 10, n_rows_total: 100 });
  expect(`${figures.warnings} ${figures.notes}`).toMatch(/90/);
  const all = await runJudge(rows, () => 1);
  const delta = deltaReport(all.rows, scored.rows);
  expect(delta.unjudged).not.toBeNull();
  expect(delta.warnings.length).toBeGreaterThan(0);
  const said = scored.rows.map((row: Row) => [row.reason, row.judge_meta]);
  expect(JSON.stringify(said)).not.toContain('SECRET');
});
