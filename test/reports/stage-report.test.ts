import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stageFold, stageReport } from '../../src/reports/stage-report.ts';
import { loadSpec, stampSpec } from '../../src/rows/spec.ts';
import { stampStage } from '../../src/rows/stage.ts';
import { foldLaw } from '../fold-law.ts';

const staged = fc.record({
  task_id: fc.constantFrom('a', 'b', 'c'),
  stage: fc.constantFrom('sft', 'EVAL', 'rl', 'none'),
});
foldLaw('stageReport', stageFold, staged);

it('an evaluated task that is trained on under another wording is a leak', () => {
  const rows = [
    { task_id: 't', prompt: 'one', stage: 'sft' },
    { task_id: 't', prompt: 'two', lineage: { source: 'eval' } },
  ];
  expect(stageReport(rows)).toMatchObject({ n_leaks: 1, eval_train_leaks: ['t'], counts: { sft: 1, eval: 1 } });
  expect(stageReport([{ stage: 'eval' }, { stage: 'sft' }]).n_leaks).toBe(0);
});

it('stamps copies and refuses a stage that does not exist', () => {
  const row = { stage: 'rl' };
  expect(stampStage([row], 'SFT')).toEqual([{ stage: 'sft' }]);
  expect(row.stage).toBe('rl');
  expect(() => stampStage([row], 'train')).toThrow(/TM_OPTIONS.*train/);
});

it('a saved specification that was edited gets a new version, and the row the one of its content', () => {
  const saved = loadSpec({ id: 's', traits: [{ id: 'a', principle: 'be kind' }] });
  expect(saved.version).toBe('f70a94b09702');
  const edited = loadSpec({ ...saved, traits: [{ id: 'a', principle: 'be cruel' }] });
  expect(edited).toMatchObject({ version: '769e77fb134c', warning_codes: ['stale_version'] });
  expect(loadSpec({ ...saved }).warning_codes).toEqual([]);
  expect(stampSpec([{ reward: 1 }], edited)).toEqual([{ reward: 1, spec_id: 's', spec_version: '769e77fb134c' }]);
});

it('refuses what is no specification, and two traits of one id', () => {
  expect(() => loadSpec(7)).toThrow(expect.objectContaining({ reason: 'type_error' }));
  expect(() => loadSpec([7])).toThrow(expect.objectContaining({ reason: 'type_error' }));
  expect(() => loadSpec({ traits: [{ id: 'a' }, { name: 'a' }] })).toThrow(/TM_OPTIONS.*one id/);
});
