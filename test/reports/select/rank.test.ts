import { expect, it } from 'vitest';
import { optimize, optimizedPath } from '../../../src/reports/select/optimize.ts';
import { rank } from '../../../src/reports/select/rank.ts';
import { scoreRow } from '../../../src/reports/select/score-row.ts';

it.each([
  ['', 0],
  ['Thanks so much!', 0],
  ['How can I help you today?', 0],
  ['the world_state is missing', 0],
  ['qwerty', 0.1],
  ['User: where is it', 0.2],
  ['I am writing to ask about my parcel', 0.25],
  ['hm what', 0.3],
  ['refund #12', 1],
  ['where is my parcel', 1],
])('an opening %j scores %d', (prompt, score) => {
  expect(scoreRow({ prompt, final_text: 'Yes.' }).quality_scores.opener).toBe(score);
});

const talk = (...turns: readonly (readonly [string, string])[]) => ({
  prompt: 'where is parcel 77',
  messages: turns.map(([role, content]) => ({ role, content })),
  final_text: turns.findLast(([role]) => role === 'assistant')?.[1] ?? '',
});

it('a user who repeats the agent, or an agent who speaks twice, is no conversation', () => {
  const reply = 'your parcel is on its way to you';
  const parrot = talk(['user', 'where is parcel 77'], ['assistant', reply], ['user', reply], ['assistant', 'Yes.']);
  expect(scoreRow(parrot).quality_scores).toMatchObject({ ping_pong: 1, structure: 0.65 });
  const stacked = talk(['user', 'where is parcel 77'], ['assistant', 'One moment.'], ['assistant', 'Here.']);
  expect(scoreRow(stacked).quality_scores.ping_pong).toBe(0);
});

it('ranks nothing without falling over', () => {
  expect(rank([])).toMatchObject({ n: 0, mean: null, n_pass: 0, best: [] });
});

it('selects by mode, whatever its case, and never names the source as its output', () => {
  const rows = [1, 0].map((reward, n) => ({ prompt: 'p q r', final_text: `Reply ${n}.`, reward }));
  expect(optimize(rows, { mode: 'SFT' as 'sft' })).toMatchObject({ kept: [rows[0]], report: { mode: 'sft' } });
  expect(optimize(rows, { mode: 'rl' }).report).toMatchObject({ mode: 'rl', n_selected: 2 });
  expect(optimizedPath('runs/a.jsonl', 'rl')).toBe('runs/a.rl.jsonl');
  expect(optimizedPath('runs/a', 'sft')).toBe('runs/a.sft.jsonl');
});
