import { expect, it } from 'vitest';
import { answerOf } from '../../src/rows/answer.ts';
import { deliveryKey } from '../../src/rows/delivery-key.ts';
import { spokenOf } from '../../src/rows/spoken.ts';

it('reads the answer from the final text, else from the last words of the agent', () => {
  const said = (content: unknown) => ({ role: 'assistant', content });
  expect(answerOf({ final_text: 'a', messages: [said('b')] })).toBe('a');
  expect(answerOf({ final_text: ' ', messages: [said('b'), said(' '), { role: 'tool', content: 'x' }] })).toBe('b');
  expect(answerOf({ messages: [said([{ type: 'text', text: 'part' }, { type: 'image' }]), said(null), null] })).toBe(
    'part',
  );
  expect(answerOf({ messages: [{ role: 'user', content: 'hi' }] })).toBe('');
  expect(answerOf({ final_text: null, messages: null })).toBeUndefined();
});

it('leaves thinking out, closed or cut', () => {
  expect(spokenOf('<THINK>a</think>b<think>c</Think> d')).toEqual({ text: 'b d', isCut: false });
  expect(spokenOf('so <think>far')).toEqual({ text: 'so ', isCut: true });
  expect(spokenOf('plain </think>')).toEqual({ text: 'plain </think>', isCut: false });
  expect(spokenOf('<think>'.repeat(50_000)).isCut).toBe(true);
});

it('names a delivery by rollout and run, and knows none for a row without names', () => {
  const row = { scenario_id: 's', rollout_index: 0, lineage: { eval_run: 0, scoring_run_id: 'x' } };
  expect(deliveryKey(row)).toBe(deliveryKey({ ...row }));
  expect(deliveryKey(row)).not.toBe(deliveryKey({ ...row, lineage: { eval_run: 1, scoring_run_id: 'x' } }));
  expect(deliveryKey({ prompt: 'p', final_text: 'same' })).toBeUndefined();
  expect(deliveryKey({ rollout_id: 'r' })).toBe(deliveryKey({ rollout_id: 'r', lineage: null }));
});
