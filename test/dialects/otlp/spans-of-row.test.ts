import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sessionRows } from '../../../src/dialects/otlp/session-rows.ts';
import { spansOfRow } from '../../../src/dialects/otlp/spans-of-row.ts';
import type { Row } from '../../../src/rows/row.ts';

const start = 1_760_000_000_000_000_000n;
const rollout: Row = {
  schema_version: '1',
  rollout_id: 'r1',
  rollout_index: 2,
  scenario_id: 's1',
  prompt: 'Where is order 7?',
  steps: [
    {
      tool: 'find',
      arguments: { id: 7 },
      result: { state: 'sent' },
      text: 'Let me look.',
      input_tokens: 10,
      output_tokens: 4,
    },
    { tool: 'find', arguments: { id: 8 }, result: 'none', input_tokens: 14, output_tokens: 3 },
    { text: 'It was sent. Anything else?', input_tokens: 20, output_tokens: 6 },
    { user: 'yes' },
    { text: 'What?' },
    { user: 'yes' },
  ],
  final_text: 'You are welcome.',
  model_version: 'm-1',
  policy_version: 'm-1@0123456789abcdef',
  agent: 'shop',
  system_prompt: 'Be kind.',
  tools: [{ type: 'function', function: { name: 'find', description: 'Find.', parameters: { type: 'object' } } }],
  reward: 0.5,
  reason: 'half of it',
  judge_name: 'rubric',
  judge_status: 'ok',
  markers: { polite: 1 },
  finish_reason: 'stop',
};

it('comes back as the same rollout, with its verdict, from the spans it is sent as', () => {
  const [row, ...others] = sessionRows(spansOfRow(rollout, start) as never);
  const steps = rollout.steps?.map(({ input_tokens: _in, output_tokens: _out, ...step }) => step);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ ...rollout, steps, usage: { input_tokens: 44, output_tokens: 13 } });
});

const at = (fromMs: number, toMs: number) => ({
  fromNs: start + BigInt(fromMs) * 1_000_000n,
  toNs: start + BigInt(toMs) * 1_000_000n,
});

it('tells when rollout, model, tools and judge were busy, where that was taken down, and comes back as the same rollout', () => {
  const acts = [
    { kind: 'tool', ...at(200, 250) },
    { kind: 'tool', ...at(400, 401) },
    { kind: 'user', ...at(900, 1000) },
    { kind: 'user', ...at(1300, 1500) },
  ] as const;
  const spans = spansOfRow(rollout, 0n, { played: { ...at(0, 2000), acts }, judged: at(2500, 2600) });
  const times = spans.map(({ name, start_time_unix_nano, end_time_unix_nano }) => [
    name.split(' ')[0],
    Number(BigInt(start_time_unix_nano) - start) / 1e6,
    Number(BigInt(end_time_unix_nano) - start) / 1e6,
  ]);
  expect(times).toEqual([
    ['invoke_agent', 0, 2000],
    ...[
      ['chat', 0, 200],
      ['execute_tool', 200, 250],
      ['chat', 250, 400],
      ['execute_tool', 400, 401],
    ],
    ...[
      ['chat', 401, 900],
      ['chat', 1000, 1300],
      ['chat', 1500, 2000],
      ['evaluate', 2500, 2600],
    ],
  ]);
  const [back] = sessionRows(spans as never);
  const [untimed] = sessionRows(spansOfRow(rollout, start) as never);
  const { revision: _, span_counts: __, ...row } = back ?? {};
  expect(untimed).toMatchObject(row);
  const few = spansOfRow(rollout, start, { played: { ...at(0, 2000), acts: acts.slice(1) } });
  expect(sessionRows(few as never)).toMatchObject([row]);
});

it('gives the same trace when it is sent again, graded or not', () => {
  const [once, again] = [spansOfRow(rollout, start), spansOfRow({ ...rollout, reward: 1 }, start)];
  expect(again.map(({ trace_id, span_id }) => [trace_id, span_id])).toEqual(
    once.map(({ trace_id, span_id }) => [trace_id, span_id]),
  );
  expect(spansOfRow({ ...rollout, rollout_id: 'r2' }, start)[0]?.trace_id).not.toBe(once[0]?.trace_id);
});

it('tells no answer key', () => {
  const kept = { ...rollout, privileged: { reference: 'the gold of this task', hidden_state: { a: 'hidden state' } } };
  expect(JSON.stringify(spansOfRow(kept as Row, start))).not.toMatch(/gold of this|hidden state/);
});

it('keeps every conversation as it was, whatever was said and done in it', () => {
  const words = fc.constantFrom('yes', 'no', 'Where is it?', 'ok');
  const value = fc.oneof(fc.constantFrom('5', 'text', '{"a":1}'), fc.integer(), fc.record({ a: fc.integer() }));
  const step = fc.oneof(
    fc.record({ tool: fc.constantFrom('find', 'send'), arguments: fc.record({ n: fc.integer() }), result: value }),
    fc.record({ text: words }),
    fc.record({ user: words }),
  );
  fc.assert(
    fc.property(words, fc.array(step, { maxLength: 6 }), words, (prompt, steps, final_text) => {
      const row: Row = { rollout_id: 'r', prompt, steps, final_text };
      expect(sessionRows(spansOfRow(row, start) as never)).toMatchObject([
        { rollout_id: 'r', prompt, steps, final_text },
      ]);
    }),
  );
});
