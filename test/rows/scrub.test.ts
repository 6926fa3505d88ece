import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json-object.ts';
import { exportRow } from '../../src/rows/export-row.ts';
import { withoutGold } from '../../src/rows/gold-columns.ts';
import { scrub } from '../../src/rows/scrub.ts';

/** Every path of keys in a value, JSON text included. */
function keysIn(value: unknown, at = ''): string[] {
  if (typeof value === 'string') {
    try {
      const data = parseJson(value);
      return typeof data === 'object' ? keysIn(data, at) : [];
    } catch {
      return [];
    }
  }
  if (Array.isArray(value)) return value.flatMap((item) => keysIn(item, at));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [`${at}.${key}`, ...keysIn(inner, `${at}.${key}`)]);
}

const secret = { reference: 'the gold', principle: 'be kind', hidden_state: { stock: 3 } };

it('lets no answer block and no vector out, at any depth, as data or as text', () => {
  const leaf = fc.constantFrom<unknown>({ privileged: secret }, { hidden_state: 1 }, { vector: [0.1] }, { ok: true });
  const { deep } = fc.letrec<{ deep: unknown }>((tie) => ({
    deep: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('deep'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'content', 'result', 'steps', 'messages', 'chosen'), tie('deep'), {
        maxKeys: 3,
      }),
      tie('deep').map((value) => JSON.stringify(value)),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('steps', 'messages', 'lineage', 'metadata', 'prompt'), deep), (row) => {
      const left = keysIn(scrub({ ...row, privileged: secret })).map((path) => path.split('.').at(-1));
      expect(left).not.toEqual(expect.arrayContaining(['privileged']));
      expect(left).not.toEqual(expect.arrayContaining(['hidden_state']));
      expect(left).not.toEqual(expect.arrayContaining(['vector']));
    }),
  );
});

it('never takes an argument from a tool call, in steps, messages or JSON text', () => {
  const args = { reference: 'INV-12', rubric: 'suite', principle: 2, privileged: true, vector: [1, 2] };
  const text = JSON.stringify(args);
  const row = {
    steps: [{ tool: 'pay', arguments: args, result: { reference: 'INV-12' } }],
    messages: [
      { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'pay', arguments: text } }] },
      { role: 'assistant', tool_calls: [{ name: 'pay', arguments: args }] },
      { role: 'assistant', content: [{ type: 'tool_use', name: 'pay', input: args }] },
    ],
    prompt: '{"reference":"INV-12"}',
    final_text: '{"reference":"INV-12"}',
    privileged: secret,
  };
  const { privileged: _, ...open } = row;
  expect(scrub(row)).toEqual(open);
  expect(scrub(row).steps).toBe(row.steps); // nothing found, nothing copied
});

it('keeps the schema of a tool whose parameter is called reference or privileged', () => {
  const parameters = { type: 'object', properties: { reference: { type: 'string' }, privileged: { type: 'boolean' } } };
  const tools = [{ type: 'function', function: { name: 'pay', parameters } }];
  expect(scrub({ tools })).toEqual({ tools });
});

it("takes out what repeats the row's own answer key, wherever a tool says it", () => {
  const row = {
    steps: [{ tool: 'look', arguments: { reference: 'the gold' }, result: '{"rubric":"the gold","ok":1}' }],
    messages: [{ role: 'tool', content: '{"reference":"the gold"}' }],
    privileged: secret,
  };
  expect(scrub(row)).toEqual({
    steps: [{ tool: 'look', arguments: {}, result: '{"ok":1}' }],
    messages: [{ role: 'tool', content: '{}' }],
  });
});

it('finds an answer key behind escaped letters and inside JSON text of JSON text', () => {
  const once = '{"pri\\u0076ileged":{"reference":"x"},"ok":1}';
  const twice = JSON.stringify({ body: JSON.stringify({ privileged: 1, id: 9007199254740993n.toString() }) });
  expect(
    scrub({
      messages: [
        { role: 'tool', content: once },
        { role: 'tool', content: twice },
      ],
    }),
  ).toEqual({
    messages: [
      { role: 'tool', content: '{"ok":1}' },
      { role: 'tool', content: '{"body":"{\\"id\\":\\"9007199254740993\\"}"}' },
    ],
  });
});

it('keeps every digit of the text it writes anew', () => {
  const { note } = scrub({ note: '{"id":12345678901234567890,"privileged":1}' });
  expect(note).toBe('{"id":12345678901234567890}');
});

it('cleans both sides of a preference pair by the key of each', () => {
  const side = { steps: [{ tool: 't', arguments: { reference: 'k' }, result: null }], privileged: { reference: 'k' } };
  const clean = { steps: [{ tool: 't', arguments: {}, result: null }] };
  expect(scrub({ chosen: side, rejected: [{ role: 'assistant', content: 'no' }] })).toEqual({
    chosen: clean,
    rejected: [{ role: 'assistant', content: 'no' }],
  });
});

it('writes a reason only with a verdict, and the reason of the grader first', () => {
  const row = { prompt: 'p', final_text: 'f', reason: 'r', grader_reason: 'g', label_source: 'conduct' };
  expect(exportRow({ ...row, reward: 0 })).toMatchObject({ reason: 'g', label_source: 'conduct' });
  const open = exportRow({ ...row, reward: null });
  expect(['reason', 'label_source', 'reward'].filter((key) => key in open)).toEqual([]);
});

it('refuses to write a reward that is no number', () => {
  expect(() => exportRow({ prompt: 'p', reward: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
    `[TracemillError: TM_ROW: exportRow: not rows of schema v1: 0:reward_not_number]`,
  );
});

it('drops the columns that hold the gold from what is trained on', () => {
  const row = {
    messages: [],
    answer: 4,
    gold_reward: 1,
    gold_labels: [{ label: 1 }],
    info: { answer: 4, difficulty: 2 },
    metadata: { target: 1 },
  };
  expect(withoutGold(row)).toEqual({ messages: [], info: { difficulty: 2 }, metadata: {} });
});
