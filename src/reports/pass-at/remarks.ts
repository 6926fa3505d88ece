import type { Remark } from '../../core/remarks.ts';
import { namelessWords } from '../nameless.ts';
import type { PassAtState, TaskCount, Unused } from './state.ts';

/** What decided that the k-way numbers are missing or stand on fewer tasks. */
export interface KWay {
  readonly k: number;
  readonly minK: number;
  /** True when k was not given and the groups have different sizes. */
  readonly isUneven: boolean;
  readonly eligible: number;
}

const whyWords: Readonly<Record<Unused, string>> = {
  judge_failed: 'the judge failed on',
  unusable: 'broken outside the agent',
  partial: 'a reward between 0 and 1',
  out_of_range: 'a reward outside 0 to 1, which is none',
  invalid: 'a reward that is no number',
  ungraded: 'not graded',
};

/** Say which numbers are missing, and why. */
export function notesOf(state: PassAtState, judged: readonly TaskCount[], { k, minK, isUneven, eligible }: KWay) {
  const notes: Remark[] = [];
  const say = (code: string, text: string) => notes.push({ code, text });
  if (judged.length === 0) {
    if (state.rows > 0 && state.unused.judge_failed === state.rows)
      say('judge_failed_all', `The judge failed on all ${state.rows} rows: nothing was measured.`);
    else say('no_binary_rewards', `None of ${state.rows} rows has a reward of exactly 0 or 1${whyOf(state)}.`);
    return notes;
  }
  if (k < minK && isUneven)
    say(
      'uneven_no_k',
      `Groups differ in size, the smallest of two or more has ${k}: give k, or ${minK} rollouts each.`,
    );
  else if (k < minK) say('set_repeats', `${k} rollouts a task: pass^k and pass@k need at least ${minK}.`);
  else if (eligible === 0) say('no_group_at_k', `No task has ${k} judged rollouts.`);
  else if (isUneven) say('uneven', `Groups differ in size; k is the smallest of two or more, ${k}.`);
  if (judged.length < 3) say('no_interval', `${judged.length} tasks were judged; an interval needs 3.`);
  const passes = judged.reduce((sum, { c }) => sum + c, 0);
  if (passes === 0 || passes === judged.reduce((sum, { n }) => sum + n, 0))
    say('degenerate', `Every judged row ${passes === 0 ? 'fails' : 'passes'}: such a set cannot tell policies apart.`);
  return notes;
}

function whyOf({ unused, rows }: PassAtState): string {
  const why = lostOf(unused).map(([reason, count]) => `${count} ${whyWords[reason]}`);
  return rows === 0 ? '' : `: ${why.join(', ')}`;
}

const lostOf = (unused: PassAtState['unused']) =>
  (Object.entries(unused) as [Unused, number][]).filter(([, count]) => count > 0);

/** Say what makes the numbers doubtful. */
export function warningsOf(state: PassAtState, judged: readonly TaskCount[], lostTasks: number, repeated: number) {
  const warnings: Remark[] = [];
  const used = judged.reduce((sum, { n }) => sum + n, 0);
  const lost = lostOf(state.unused);
  const nameless = state.tasks.get('')?.rows ?? 0;
  if (nameless > 1) warnings.push({ code: 'no_task', text: namelessWords(nameless) });
  if (used > 0 && lost.length > 0) {
    const why = lost.map(([reason, count]) => `${count} ${whyWords[reason]}`).join(', ');
    const tasks = lostTasks > 0 ? ` ${lostTasks} of ${state.tasks.size} tasks have none.` : '';
    warnings.push({ code: 'rows_unused', text: `${used} of ${state.rows} rows are used (${why}).${tasks}` });
  }
  if (repeated > 0)
    warnings.push({
      code: 'identical_rollouts',
      text: `In ${repeated} of ${judged.length} tasks all rollouts are word for word the same: a response cache whose key leaves out the repeat is the likely cause, else a temperature of 0.`,
    });
  return warnings;
}
