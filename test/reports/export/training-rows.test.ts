import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isObject } from '../../../src/core/json-object.ts';
import { columns } from '../../../src/reports/export/columns.ts';
import { toTrl } from '../../../src/reports/export/to-trl.ts';
import { toolCallRoundtrip } from '../../../src/reports/export/tool-call-roundtrip.ts';
import { trainingRows } from '../../../src/reports/export/training-rows.ts';
import { trainingSet } from '../../../src/reports/export/training-set.ts';

const call = (args: unknown, more: object = {}) => ({ tool: 't', arguments: args, result: 'ok', ...more });

it('links every result to its call and encodes every argument once, for any conversation', () => {
  const step = fc.oneof(
    fc.record({ tool: fc.constantFrom('a', 'b'), arguments: fc.object(), result: fc.jsonValue() }),
    fc.record({ user: fc.string() }),
    fc.record({ text: fc.string() }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const [row] = trainingRows([{ prompt: 'p', steps, final_text: 'f' }]);
      const messages = row?.['messages'] as {
        role: string;
        content: unknown;
        tool_call_id?: string;
        tool_calls?: { id: string }[];
      }[];
      const made = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
      expect(new Set(made).size).toBe(made.length);
      expect(messages.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(made);
      expect(messages.every(({ content }) => typeof content === 'string')).toBe(true);
      expect(row?.['loss_mask']).toEqual(messages.map(({ role }) => Number(role === 'assistant')));
      expect(toolCallRoundtrip([row ?? {}])).toMatchObject({ checked: made.length, invalid: 0 });
      expect(toolCallRoundtrip(toTrl([row ?? {}]), { format: 'trl' })).toMatchObject({
        checked: made.length,
        invalid: 0,
      });
    }),
  );
});

it('carries no answer key and no gold, and keeps an argument called reference', () => {
  const row = {
    prompt: 'pay',
    steps: [call({ reference: 'INV-12' }, { result: { privileged: { reference: 'k' }, ok: 1 } })],
    final_text: 'paid',
    privileged: { reference: 'k' },
    answer: 'k',
    gold_reward: 1,
    lineage: { privileged: 1, stage: 'sft' },
  };
  const text = JSON.stringify(trainingRows([row]));
  expect(text).toContain('INV-12');
  for (const hidden of ['privileged', 'answer', 'gold_reward', '"k"']) expect(text).not.toContain(hidden);
});

it('keeps every digit of a long id, through both shapes', () => {
  const rows = trainingRows([{ prompt: 'p', steps: [call({ id: 9007199254740993n })], final_text: 'f' }]);
  expect(JSON.stringify(rows)).toContain('9007199254740993');
  const [trl] = toTrl(rows);
  expect(trl).toMatchObject({
    messages: [{}, { tool_calls: [{ function: { arguments: { id: 9007199254740993n } } }] }, {}, {}],
  });
});

it('writes blocks of another vendor on the wire, results as tool messages', () => {
  const messages = [
    { role: 'system', content: 'own' },
    { role: 'user', content: [{ type: 'text', text: 'q' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'u1', name: 't', input: { a: 1 } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'u1', content: 'r' },
        { type: 'text', text: 'and?' },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ];
  const [own] = trainingRows([{ messages }]);
  expect(own?.['messages']).toEqual([
    { role: 'system', content: 'own' },
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'u1', type: 'function', function: { name: 't', arguments: '{"a":1}' } }],
    },
    { role: 'tool', content: 'r', tool_call_id: 'u1' },
    { role: 'user', content: 'and?' },
    { role: 'assistant', content: 'done' },
  ]);
  const [given] = trainingRows([{ messages }], { systemPrompt: 'S' });
  expect(JSON.stringify(given?.['messages'])).toBe(JSON.stringify(own?.['messages']).replace('own', 'S'));
});

it('leaves a group without a verdict without a mean, and never counts a missing one as zero', () => {
  const rows = [
    { prompt: 'p' },
    { prompt: 'p', reward: Number.NaN },
    { prompt: 'q', reward: 1 },
    { prompt: 'q', reward: null },
  ];
  const stamped = trainingRows(rows.map((row) => ({ ...row, final_text: 'f' })));
  expect(stamped.map(({ k, reward_mean, reward_std }) => [k, reward_mean, reward_std])).toEqual([
    [2, null, null],
    [2, null, null],
    [2, 1, 0],
    [2, 1, 0],
  ]);
});

it('gives every line of a file the same keys and every key one type, for any rows', () => {
  const value = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.array(fc.string()),
    fc.object(),
  );
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'reward'), fc.option(value)), { minLength: 1 }),
      (rows) => {
        const table = columns();
        for (const row of rows) table.add(row);
        const lines = rows.map((row) => JSON.parse(table.line(row)) as Record<string, unknown>);
        for (const key of table.names()) {
          const types = new Set(lines.map((line) => typeof line[key]).filter((type) => type !== 'object'));
          expect(lines.every((line) => Object.hasOwn(line, key))).toBe(true);
          expect(types.size).toBeLessThanOrEqual(1);
          if (types.has('string')) expect(lines.every((line) => typeof line[key] === 'string')).toBe(true);
          const objects = lines.map((line) => line[key]).filter(isObject);
          expect(new Set(objects.map((one) => Object.keys(one).sort().join())).size).toBeLessThanOrEqual(1);
        }
      },
    ),
  );
  const table = columns();
  for (const row of [{ reward: 1 }, { reward: 0.5, note: 'x', k: 2 }, {}]) table.add(row);
  expect(table.line({ reward: 1, k: 2 })).toBe('{"reward":1.0,"note":"","k":2}\n');
  expect(table.line({})).toBe('{"reward":null,"note":"","k":null}\n');
});

it('trains the words of a refusal that a row holds as a message', () => {
  for (const said of [{ content: null, refusal: 'No.' }, { content: [{ type: 'refusal', refusal: 'No.' }] }]) {
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', ...said },
    ];
    const [sample] = trainingRows([{ messages }]);
    expect(sample).toMatchObject({ messages: [{}, { content: 'No.' }], loss_mask: [0, 1] });
  }
});

it('warns of rows whose pictures are not in the file', () => {
  const set = trainingSet({});
  set.add(set.entry({ prompt: 'look', steps: [], final_text: 'A cat.', parts_left_out: { image_url: 1 } }));
  expect(set.end().report.warning_codes).toEqual(['parts_left_out']);
});

const corrected = {
  prompt: 'Hi',
  steps: [{ text: 'Bad answer' }, { user: 'Again' }],
  final_text: 'Good answer',
  loss_weights: [null, 0, null, 1],
};

it('trains no turn of weight 0, however the row says so', () => {
  const trained = (row: object, options: Parameters<typeof trainingRows>[1] = {}) =>
    trainingRows([{ ...row }], options).map(({ loss_mask }) => loss_mask);
  expect(trained(corrected)).toEqual([[0, 0, 0, 1]]);
  expect(trained(corrected, { systemPrompt: 'Be kind.' })).toEqual([[0, 0, 0, 0, 1]]);
  expect(trained(corrected, { unroll: true })).toEqual([[0, 0, 0, 1]]);
  expect(trained({ ...corrected, loss_weights: [null, 1, null, 0] }, { maskMode: 'final' })).toEqual([]);
  const [sample = {}] = trainingRows([corrected]);
  expect(trained(sample)).toEqual([[0, 0, 0, 1]]);
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Bad answer', weight: 0 },
    { role: 'user', content: 'Again' },
    { role: 'assistant', content: 'Good answer' },
  ];
  expect(trained({ messages })).toEqual([[0, 0, 0, 1]]);
});

it('trains nothing of a row whose weights fit no message, since one of them is 0', () => {
  expect(trainingRows([{ ...corrected, loss_weights: [0, 1] }])).toEqual([]);
  expect(trainingRows([{ ...corrected, loss_weights: [1, 1] }])[0]).toMatchObject({ loss_mask: [0, 1, 0, 1] });
});

it('warns that TRL trains a turn of weight 0 beside others, and drops a completion that is one', () => {
  const told = (options: Parameters<typeof trainingSet>[0], row: object) => {
    const set = trainingSet(options);
    set.add(set.entry({ ...row }));
    const { n, no_completion_dropped, warning_codes } = set.end().report;
    return { n, no_completion_dropped, warning_codes };
  };
  const bad = { ...corrected, loss_weights: [null, 1, null, 0] };
  expect(told({ format: 'trl' }, bad)).toEqual({
    n: 1,
    no_completion_dropped: 0,
    warning_codes: ['masked_turns_trained'],
  });
  expect(told({ format: 'trl', maskMode: 'final' }, bad)).toEqual({
    n: 0,
    no_completion_dropped: 1,
    warning_codes: [],
  });
  expect(told({ format: 'openai' }, bad)).toEqual({ n: 1, no_completion_dropped: 0, warning_codes: [] });
  expect(told({ format: 'openai' }, { ...bad, loss_weights: [null, 0, null, 0] }).no_completion_dropped).toBe(1);
});
