import { expect, it } from 'vitest';
import { dropReason } from '../../../src/reports/select/drop-reason.ts';
import { filterRlRows } from '../../../src/reports/select/filter-rl-rows.ts';

const call = { tool: 'refund', arguments: { id: 'A-1' }, result: { status: 'ok' } };
const good = { prompt: 'refund order A-1', steps: [call], final_text: 'Refunded.', reward: 1 };

it.each([
  ['a blank reply', { final_text: ' \n' }, 'incomplete_junk'],
  ['an agent error, whatever its case', { final_text: '<Agent Error: 401>' }, 'incomplete_junk'],
  ['a bare HTTP code after a URL', { steps: [], final_text: 'https://x.org/a 503 Unavailable' }, 'incomplete_junk'],
  ['the same when a tool was called', { final_text: '503 is what the tool said.' }, null],
  ['a key that stuck', { final_text: `No${'o'.repeat(30)}.` }, 'incomplete_junk'],
  ['indented code', { final_text: `Here:${' '.repeat(40)}x = 1.` }, null],
  ['a dumped tool schema', { final_text: `{"name": "a", "description": "b", "parameters": {}}.` }, 'incomplete_junk'],
  ['its parts far apart', { final_text: `"name": 1, ${'x '.repeat(260)} "description": 1, "parameters": 1.` }, null],
  ['600 characters that break off', { final_text: `${'word '.repeat(130)}and` }, 'incomplete_junk'],
  ['the same, marked as over length', { final_text: `${'word '.repeat(130)}and`, overlong: true }, null],
  ['a long table', { final_text: `${'| a | b |\n'.repeat(80)}| c | d |` }, null],
  ['no label', { reward: 0.5 }, 'unusable_label'],
  ['a confirmed zero with a call and no words', { final_text: '', reward: 0, label_source: 'Gold' }, null],
])('%s', (_what, change, reason) => {
  expect(dropReason({ ...good, ...change })).toBe(reason);
});

it('a conversation that a stop token of the user closed is not junk', () => {
  const messages = [
    { role: 'user', content: 'cancel it' },
    { role: 'assistant', content: 'Cancelled.' },
    { role: 'user', content: 'Thanks! ###STOP###' },
  ];
  const row = { prompt: 'cancel it', messages, final_text: 'Cancelled.', reward: 1 };
  expect(dropReason(row)).toBe('incomplete_junk');
  expect(dropReason({ ...row, ended_by: 'user_stop' })).toBe(null);
});

it('accounts for every row and leaves them as they were', () => {
  const rows = [good, { ...good, reward: null }, { ...good, final_text: '' }];
  const before = structuredClone(rows);
  const { kept, rejected, report } = filterRlRows(rows);
  expect(rows).toEqual(before);
  expect(kept).toEqual([good]);
  expect(rejected.map(({ reason }) => reason)).toEqual(['unusable_label', 'incomplete_junk']);
  expect(report.n).toBe(report.n_kept + report.n_dropped);
});

it('refuses an option it does not know', () => {
  expect(() => dropReason(good, { hasTool: false } as never)).toThrow(/TM_OPTIONS.*hasTool/s);
});
