import { expect, it } from 'vitest';
import { curriculum, curriculumFold } from '../../src/reports/curriculum/curriculum.ts';
import { retireSolved } from '../../src/reports/curriculum/retire-solved.ts';
import { refusalFold, refusalReport } from '../../src/reports/refusal-report.ts';
import { foldLaw } from '../fold-law.ts';

foldLaw('curriculum', curriculumFold());
foldLaw('refusalReport', refusalFold);

const task = (task_id: string, passes: number, n: number) =>
  Array.from({ length: n }, (_, at) => ({ task_id, prompt: `Do ${task_id}`, reward: at < passes ? 1 : 0 }));

it('places tasks by their pass rate and cuts the schedule into tiers, easiest first', () => {
  const rows = [
    ...task('hard', 0, 4),
    ...task('mid', 2, 4),
    ...task('easy', 3, 4),
    ...task('done', 4, 4),
    ...task('thin', 1, 1),
  ];
  expect(curriculum(rows, { tiers: 2 })).toMatchObject({
    schedule: ['easy', 'mid'],
    tiers: [[{ task_id: 'easy' }], [{ task_id: 'mid' }]],
    retired: [{ task_id: 'done' }],
    not_ready: [{ task_id: 'hard', pass_rate: 0 }],
    thin: [{ task_id: 'thin' }],
  });
});

it('says that at 4 rollouts a hard cut is unsure, and retires only what is surely solved when asked', () => {
  const rows = [...task('a', 4, 4), ...task('b', 40, 40), { task_id: 'c', reward: null }];
  const { retired, n_uncertain } = curriculum(rows);
  expect(retired.map(({ pass_rate_ci95 }) => pass_rate_ci95?.[0])).toEqual([0.5101, 0.9124]);
  expect(n_uncertain).toBe(1);
  expect(retireSolved(rows).report.retired).toEqual(['a', 'b']);
  const { kept, rejected, report } = retireSolved(rows, { sure: true });
  expect(report).toEqual({ n: 45, n_kept: 5, n_dropped: 40, retired: ['b'] });
  expect(kept.length + rejected.length).toBe(rows.length);
});

it('finds a refusal that was typed with a typographic apostrophe, and no help in an airline', () => {
  const rows = [
    { id: 'b', prompt: 'x', final_text: 'I can’t help with that.' },
    { id: 'a', prompt: 'y', final_text: "I'm unable to." },
    { final_text: 'Done.' },
  ];
  const report = refusalReport(rows);
  expect(report).toMatchObject({ n: 3, n_refused: 2 });
  expect(report.examples.map(({ prompt }) => prompt)).toEqual(['y', 'x']);
  expect(refusalReport([])).toMatchObject({ refusal_rate: null, ci95: null });
});
