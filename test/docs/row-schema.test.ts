import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { exportRow } from '../../src/rows/export-row.ts';
import { fromRow } from '../../src/rows/from-row.ts';
import { judgmentSchema } from '../../src/rows/judgment.ts';
import { markerSchema } from '../../src/rows/marker.ts';
import { rolloutSchema } from '../../src/rows/rollout.ts';
import { rowSchema } from '../../src/rows/row.ts';
import { preferenceRowSchema, rowV1Schema, trainingRowSchema } from '../../src/rows/row-v1.ts';
import { taskSchema } from '../../src/rows/task.ts';

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Row, schema version 1',
  description: 'One rollout of one task with what was said of it, as a line of JSON. Written by `npm run docs`.',
  $ref: '#/$defs/row',
  $defs: {
    row: json(rowV1Schema),
    training_row: json(trainingRowSchema),
    preference_row: json(preferenceRowSchema),
  },
};

/** JSON has no bigint: an integer is an integer, however long. */
function json(of: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(of, {
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
    },
  });
  return rest;
}

const row = {
  prompt: 'Cancel order 4412',
  steps: [
    { tool: 'cancel', arguments: { id: 4412 }, result: { status: 'ok' }, text: 'One moment.', n_tokens: 9 },
    { user: 'thanks' },
  ],
  final_text: 'Done.',
  scenario_id: 's1',
  rollout_index: 2,
  reward: 1,
  judge_name: 'J',
  judge_status: 'ok',
  markers: { honest: 1 },
  ts: 1_760_000_000_000_000_001n,
  calibration: { n: 8, pass_rate: 0.5, pass_rate_ci95: [0.2, 0.8] },
  privileged: { reference: 'k' },
};

it('the schema page is what the source says', async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/reference/row-v1.schema.json');
});

it('an exported row is valid by the page, and a row without a reply is not', () => {
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
  const written = { ...exportRow(row), ts: Number(row.ts) }; // the validator knows no bigint
  expect(validate(written) ? [] : validate.errors).toEqual([]);
  const { final_text: _, ...open } = written;
  expect(validate(open)).toBe(false);
  expect(validate({ ...written, schema_version: '2' })).toBe(false);
  expect(validate({ ...written, judge_status: 'great' })).toBe(false);
});

it('a row in memory and the objects it splits into pass their own schemas', () => {
  const { task, rollout, judgments, markers } = fromRow(row);
  expect(rowSchema.parse(row)).toEqual(row);
  expect(taskSchema.parse(task)).toEqual(task);
  expect(rolloutSchema.parse(rollout)).toEqual(rollout);
  expect(judgments.map((one) => judgmentSchema.parse(one))).toEqual(judgments);
  expect(markers.map((one) => markerSchema.parse(one))).toEqual(markers);
});
