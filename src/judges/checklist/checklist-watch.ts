import { asNotes, type Remark } from '../../core/remarks.ts';
import type { Row } from '../../rows/row.ts';

/** Say what a grading by the checklist is worth: for how many rows it knew how they should end. Memory: two counters. */
export function checklistWatch() {
  const count = { n: 0, checked: 0 };
  return {
    add({ markers, judge_name }: Row): void {
      if (judge_name !== 'task_checklist') return;
      count.n++;
      if (markers?.['outcome_checked'] === 1) count.checked++;
    },
    report() {
      const { n, checked } = count;
      const used: Remark = {
        code: 'checklist_used',
        text: `no judge was given: the checklist graded the conduct of ${n} rows and, where the situation says how it should end, its outcome (${checked} rows)`,
      };
      const blind: Remark = {
        code: 'conduct_only',
        text: 'no row says how it should end: a reward of 1 means that nothing was made up or hidden, not that the answer is right',
      };
      return {
        n_checklist: n,
        n_outcome_checked: checked,
        ...asNotes(n > 0 && checked === 0 ? [used, blind] : [used]),
      };
    },
  };
}
