import fc from 'fast-check';
import { expect, it } from 'vitest';
import { attachJudgment } from '../../src/rows/attach-judgment.ts';
import { fromRow } from '../../src/rows/from-row.ts';
import { judgeStatuses } from '../../src/rows/judgment.ts';
import { migrate } from '../../src/rows/migrate.ts';
import { detectShape } from '../../src/rows/row-shape.ts';
import { toRow } from '../../src/rows/to-row.ts';
import { checkRows, validateRow } from '../../src/rows/validate-row.ts';

const turn = (row: Record<string, unknown>) => toRow(fromRow(row));

it('keeps every column of a row through its objects and back', () => {
  const word = fc.string({ minLength: 1 });
  const thing = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant({ a: [1, null] }));
  const step = fc.oneof(
    fc.record(
      { tool: word, arguments: fc.constant({ a: null }), result: thing, id: word, text: word },
      { requiredKeys: ['tool'] },
    ),
    fc.record({ user: word, note: thing }, { requiredKeys: ['user'] }),
    fc.record({ text: word, n_tokens: fc.integer({ min: 1, max: 9 }) }),
  );
  const stamped = {
    schema_version: fc.constant('1'),
    prompt: word,
    steps: fc.array(step),
    final_text: fc.string(),
    scenario_id: word,
    messages: fc.constant([{ role: 'user', content: 'p' }]),
  };
  const others = {
    seed: fc.oneof(fc.integer(), fc.bigInt({ min: 2n ** 60n, max: 2n ** 63n })),
    ts: fc.bigInt({ min: 2n ** 60n, max: 2n ** 63n }),
    opener: word,
    stance: thing,
    steering: thing,
    behavior_signature: word,
    fault_detected: fc.boolean(),
    spec_id: word,
    rollout_id: word,
    rollout_index: fc.nat(9),
    model_version: word,
    policy_version: word,
    reward: fc.constantFrom(0, 1, 0.25),
    reason: word,
    grader_reason: word,
    failure_class: word,
    label_source: word,
    judge_meta: fc.constant({ version: '2' }),
    judge_status: fc.constantFrom(...judgeStatuses.slice(1), 'skipped'),
    llm_reward: fc.constantFrom(0, 1, null),
    qwen_reward: fc.constantFrom(0, 1),
    markers: fc.constant({ honest: 1, fast: 0.5 }),
    calibration: fc.constantFrom({ n: 'many' }, { n: 8, pass_rate: 0.5, policy: 'x' }),
    tool_trace: thing,
    gold_reward: fc.constantFrom(0, 1),
    x_custom: thing,
  };
  const rows = fc.record({ ...stamped, ...others }, { requiredKeys: Object.keys(stamped) as (keyof typeof stamped)[] });
  fc.assert(
    fc.property(rows, (row) => {
      expect(turn(row)).toMatchObject(row);
      expect(turn(turn(row))).toEqual(turn(row));
    }),
  );
});

it('names a judgment by its judge and keeps the label beside it', () => {
  const row = { prompt: 'p', scenario_id: 's', reward: 1, judge_name: 'J', label_source: 'human' };
  expect(turn(row)).toMatchObject(row);
  expect(fromRow(row).judgments[0]).toMatchObject({ scorer: { name: 'J' }, evidence: { label_source: 'human' } });
});

it.each([
  [
    'training',
    {
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a' },
      ],
    },
  ],
  ['platform_pull', { prompt: 'q', tool_trace: [{ tool: 't', input: {}, output: 1 }] }],
  ['loose', { question: 'q', answer: 'a' }],
])('keeps a partial reward of a %s row, and says when one cannot be read', (shape, row) => {
  expect(detectShape(row)).toBe(shape);
  expect(turn({ ...row, reward: 0.5 })).toMatchObject({ reward: 0.5 });
  expect(turn({ ...row, reward: 'great' })).toMatchObject({ reward: null, judge_status: 'invalid_result' });
  expect(fromRow({ ...row, reward: 'great' }).judgments[0]?.evidence).toMatchObject({ raw_reward: 'great' });
  expect('reward' in turn(row)).toBe(false);
});

it('says the first turn once, also when the agent spoke before it', () => {
  const messages = [
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'q' },
    { role: 'assistant', content: 'a' },
    { role: 'user', content: 'q' },
    { role: 'assistant', content: 'again' },
  ];
  const { task, rollout } = fromRow({ messages });
  expect(task.prompt).toBe('q');
  expect(rollout.steps).toEqual([{ text: 'a' }, { user: 'q' }, { text: 'again' }]);
  const { messages: _, ...rest } = rollout.extra ?? {};
  expect(toRow({ task, rollout: { ...rollout, extra: rest } }).messages).toEqual(messages);
});

it('keeps columns of JSON text that cannot be used, under their own names', () => {
  const row = turn({ prompt: 'p', steps_json: '{"not":"a list"}', messages_json: '[broken', metadata_json: '{"a":1}' });
  expect(row).toMatchObject({
    steps_json: '{"not":"a list"}',
    messages_json: '[broken',
    metadata: { a: 1 },
    steps: [],
  });
});

it('gives a row of the present version back as it is, and refuses one from the future', () => {
  const row = { schema_version: 1, prompt: 'p', steps: [], final_text: '' };
  expect(migrate(row)).toBe(row);
  expect(migrate({ prompt: 'p', answer: 'a' })).toMatchObject({ schema_version: '1', final_text: 'a' });
  expect(() => migrate({ schema_version: '7' })).toThrowErrorMatchingInlineSnapshot(
    `[TracemillError: TM_ROW: schema_version 7 is not known; this release reads 0, 1]`,
  );
});

it('leaves nothing of the verdict before when a row is judged again', () => {
  const row = {
    prompt: 'p',
    reward: 0,
    reason: 'old',
    grader_reason: 'old',
    failure_class: 'x',
    judge_meta: { old: 1 },
  };
  const scorer = { name: 'J', kind: 'judge' as const };
  attachJudgment(row, { rollout_id: 'r', scorer, reward: null, status: 'error' });
  expect(row).toEqual({ prompt: 'p', reward: null, judge_name: 'J', judge_status: 'error' });
});

it('lists what is wrong with a row and never throws', () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.constantFrom('row' as const, 'training' as const, 'preference' as const),
      (row, kind) => {
        expect(Array.isArray(validateRow(row, { kind }))).toBe(true);
      },
    ),
  );
  const stamped = { schema_version: '1', prompt: 'p', steps: [], final_text: '' };
  expect(validateRow({ ...stamped, judge_status: 'great' })).toEqual(['judge_status_unknown']);
  expect(validateRow({ messages: [{ role: 'user' }], loss_mask: [true] }, { kind: 'training' })).toEqual([
    'loss_mask_invalid',
  ]);
  expect(() => checkRows([stamped, 5, {}, {}, {}, {}, {}], { where: 'import' })).toThrowErrorMatchingInlineSnapshot(
    `[TracemillError: TM_ROW: import: not rows of schema v1: 1:not_a_dict; 2:empty_row; 3:empty_row; 4:empty_row; 5:empty_row]`,
  );
});
