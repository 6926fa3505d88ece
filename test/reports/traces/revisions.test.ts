import { expect, it } from 'vitest';
import { behaviorState } from '../../../src/reports/traces/behavior-state.ts';
import { flawRows, mineTraces } from '../../../src/reports/traces/mine-traces.ts';
import { splitPseudoProduction } from '../../../src/reports/traces/split-pseudo-production.ts';
import { traceReport } from '../../../src/reports/traces/trace-report.ts';
import { loadTraces } from '../../../src/sources/files/load-traces.ts';

const fault = { steps: [{ tool: 'get_order', arguments: {}, result: { status: 'error', error: 'down' } }] };
const told = [
  { rollout_id: 'a', revision: 1, prompt: 'first?', final_text: 'no', reward: 0, ...fault },
  { rollout_id: 'a', revision: 2, prompt: 'first? And more?', final_text: 'no', reward: 0, ...fault },
  { rollout_id: 'b', revision: 1, prompt: 'second?', final_text: 'no', reward: 0, ...fault },
  { rollout_id: 'b', revision: 2, prompt: '', final_text: '', retracted: true },
  { prompt: 'third?', final_text: 'yes', reward: 1 },
];

it('loadTraces gives a trace once that was told twice, and none that was taken back', async () => {
  expect((await loadTraces(told)).map(({ prompt }) => prompt)).toEqual(['first? And more?', 'third?']);
});

it('mineTraces and traceReport count a trace once that was told twice', () => {
  expect(mineTraces(told)).toMatchObject({ n: 2, tools: { get_order: { n: 1, fault_n: 1 } }, flaw_rows: [1] });
  expect(flawRows(told)).toEqual([told[1]]);
  expect(traceReport(told)).toMatchObject({ traces: 2, superseded: 3, graded: 2, fails: 1 });
  expect(behaviorState(told).traces).toBe(2);
});

it('splitPseudoProduction has no rollout on both sides, whatever its revisions asked', () => {
  const { production, remainder } = splitPseudoProduction(told, { fraction: 0 });
  expect([...production, ...remainder]).toHaveLength(2);
  expect(production).toEqual([told[1]]);
});

it('counts equal rows without a revision as often as they are given', () => {
  const row = { prompt: 'same?', final_text: 'yes', reward: 1 };
  expect(mineTraces([row, row]).n).toBe(2);
  expect(traceReport([row, row]).traces).toBe(2);
});
