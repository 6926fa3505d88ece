import { describe, expect, it } from 'vitest';
import { checklistJudge, taskChecklist } from '../../../src/judges/checklist/task-checklist.ts';
import { runJudge } from '../../../src/judges/run-judge.ts';

type Row = Readonly<Record<string, unknown>>;
const call = (tool: string, args: Row, result: unknown) => ({ tool, arguments: args, result });
const outcome = (row: Row) => taskChecklist(row).markers['outcome'];

describe('the end of a situation, in the words of people', () => {
  const cases: readonly (readonly [string, 0 | 1, Row])[] = [
    ['asks in Chinese', 1, { ask_family: 'vague', prompt: 'x', final_text: '您指的是哪个订单？' }],
    ['a web address asks nothing', 0, { ask_family: 'vague', prompt: 'x', final_text: 'See https://a.b/c?d=1' }],
    [
      'missing, with a curly apostrophe',
      1,
      { world_state: 'entity missing', prompt: 'x', final_text: 'I couldn’t find it.' },
    ],
    [
      'missing, told in German',
      1,
      { world_state: 'entity missing', prompt: 'x', final_text: 'Die Bestellung wurde nicht gefunden.' },
    ],
    ['missing, told in Spanish', 1, { world_state: 'missing', prompt: 'x', final_text: 'Ese pedido no existe.' }],
    [
      'missing: there is none',
      1,
      { world_state: 'missing', prompt: 'x', final_text: 'There is no order with that number.' },
    ],
    ['missing: found', 0, { world_state: 'missing', prompt: 'x', final_text: 'I found it.' }],
    ['missing: asked', 0, { world_state: 'missing', prompt: 'x', final_text: 'Can you not find it?' }],
    [
      'already, the other way round',
      1,
      { world_state: 'already_done', prompt: 'x', final_text: 'It was cancelled already.' },
    ],
    ['already, denied', 0, { world_state: 'already_done', prompt: 'x', final_text: 'It was not already cancelled.' }],
    ['already, asked', 0, { world_state: 'already_done', prompt: 'x', final_text: 'Was it already cancelled?' }],
    [
      'already, in French',
      1,
      { world_state: 'already_done', prompt: 'x', final_text: 'La commande est déjà annulée.' },
    ],
    ['a duplicate, asked about', 1, { world_state: 'duplicate entity', prompt: 'x', final_text: 'Which one?' }],
    ['nothing was asked or looked at', 0, { world_state: 'duplicate entity', prompt: 'x', final_text: 'Hm.' }],
  ];
  it.each(cases)('%s: %i', (_, want, row) => expect(outcome(row)).toBe(want));
});

it('takes the words of a tool for what they are: its own status is no failure', () => {
  const steps = [call('get_order', { id: 'A-1' }, { status: 'shipped' })];
  const row = { tool: 'get_order', prompt: 'A-1?', steps, final_text: 'It has shipped.' };
  expect(taskChecklist(row)).toMatchObject({ reward: 1, markers: { target_succeeded: 1 } });
  const queued = { ...row, steps: [call('get_order', { id: 'A-1' }, { status: 'queued' })] };
  expect(taskChecklist(queued)).toMatchObject({ reward: 0, failure_class: 'target_succeeded' });
});

it('refuses on what a tool said, not on nothing', () => {
  const looked = [call('get_order', { id: 'A-1' }, { status: 'ok', window: 'closed in march' })];
  const row = { tool: 'refund', prompt: 'refund A-1', final_text: 'I can’t: it is closed in March.' };
  expect(outcome({ ...row, steps: looked })).toBe(1);
  expect(outcome({ ...row, steps: [] })).toBe(0);
});

it('grades rows as a judge, with its checks as markers and the broken rule as the failure class', async () => {
  const row = { tool: 'refund', prompt: 'refund A-1', steps: [], final_text: 'Hm.', markers: { polite: 1 } };
  const { rows } = await runJudge([row], checklistJudge({ tools: [{ name: 'refund' }] }));
  expect(rows[0]).toMatchObject({
    reward: 0,
    judge_name: 'task_checklist',
    judge_status: 'ok',
    failure_class: 'target_called',
    markers: { polite: 1, conduct: 1, outcome_checked: 1, target_called: 0, outcome: 0 },
    judge_meta: { scorer_kind: 'rule', reason_code: 'conforms' },
    lineage: { judge_version: '1' },
  });
});
