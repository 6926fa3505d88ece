import { expect, it } from 'vitest';
import { behaviorSignature } from '../../src/rows/behavior-signature.ts';
import { callsMade } from '../../src/rows/calls-made.ts';
import { replyOf } from '../../src/rows/reply.ts';
import { inRowOrder } from '../../src/rows/row-order.ts';
import { faultOfResult } from '../../src/rows/trace-fault.ts';

it('reads calls from steps, from messages with their results, and from written markup', () => {
  const called = { tool: 'get', arguments: { id: '7' } };
  const messages = [
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'get', arguments: '{"id":"7"}' } }] },
    { role: 'tool', tool_call_id: 'c', content: '{"status":"ok"}' },
  ];
  const markup = 'Let me see <tool_call>{"name":"get","arguments":{"id":"7"}}</tool_call>';
  for (const row of [{ steps: [called] }, { messages }, { final_text: markup }])
    expect(callsMade(row)).toMatchObject([called]);
  expect(callsMade({ messages })[0]?.result).toEqual({ status: 'ok' });
});

it('counts a final text that repeats the last turn once, tool output never', () => {
  const messages = [
    { role: 'assistant', content: 'abc' },
    { role: 'tool', content: 'x'.repeat(99) },
    { role: 'assistant', content: 'de' },
  ];
  expect(replyOf({ messages, final_text: 'de' }).length).toBe(5);
  expect(replyOf({ messages, final_text: 'fghi' }).length).toBe(9);
  expect(replyOf({ messages, final_text: 'fghi' }).said).toBe('fghi\nabc\nde');
});

it('tells rollouts apart by where an argument came from, not by its value', () => {
  const row = (id: string) => ({ prompt: 'look at 11 and 22', steps: [{ tool: 'get', arguments: { id } }] });
  expect(behaviorSignature(row('11'))).toBe(behaviorSignature(row('22')));
  expect(behaviorSignature(row('11'))).not.toBe(behaviorSignature(row('33')));
});

it('a result that says error: null went well; a status of its own is no fault', () => {
  expect(faultOfResult({ status: 'shipped', error: null })).toBeUndefined();
  expect(faultOfResult({ error: 'gone' })).toBe('error');
  expect(faultOfResult('{"status":"permission_denied"}')).toBe('deny');
  expect(faultOfResult({ status: 'http_permission' })).toBe('http_permission');
});

it('orders rows by id, the tenth repeat after the second, rows without an id last as they came', () => {
  const rows = [{ x: 1 }, { scenario_id: 's', rollout_index: 10 }, { x: 2 }, { scenario_id: 's', rollout_index: 2 }];
  expect(inRowOrder(rows)).toEqual([rows[3], rows[1], rows[0], rows[2]]);
});
