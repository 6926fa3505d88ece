import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../src/core/json.ts';
import { exportRow } from '../../src/rows/export-row.ts';
import type { Row } from '../../src/rows/row.ts';
import { openSet } from '../../src/sinks/open-set.ts';
import { writeSet } from '../../src/sinks/set-file.ts';
import { importFiles } from '../../src/sources/files/index.ts';
import { freshFolder } from '../folder.ts';

const words = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'null', '\u2028', '[]', '{"a":1}'));
const value = fc.oneof(fc.jsonValue(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }));
const step = fc.oneof(
  fc.record({ tool: words, arguments: fc.dictionary(words, value, { maxKeys: 3 }), result: value }),
  fc.record({ text: words }),
  fc.record({ user: words }),
);
const anyRow = fc.record(
  {
    prompt: words,
    steps: fc.array(step, { maxLength: 4 }),
    final_text: words,
    scenario_id: fc.constantFrom('s1', 's2'),
    reward: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, null)),
    reason: words,
    faults: fc.dictionary(words, fc.record({ mode: words }), { maxKeys: 2 }),
    markers: fc.dictionary(words, fc.double({ min: 0, max: 1, noNaN: true }), { maxKeys: 2 }),
    ts: fc.bigInt({ min: 0n, max: 2n ** 62n }),
    token_logprobs: fc.array(fc.double({ min: -9, max: 0, noNaN: true })),
    extra: value,
    privileged: fc.record({ reference: words }),
  },
  { requiredKeys: ['prompt', 'steps', 'final_text', 'scenario_id'] },
);
const table = fc
  .array(anyRow, { minLength: 1, maxLength: 5 })
  .map((rows) =>
    rows.map(
      (row, n) =>
        parseJson(stringifyJson({ schema_version: '1', rollout_id: `r${n}`, rollout_index: n, ...row })) as Row,
    ),
  );

it.each(['jsonl', 'parquet'])(
  'rows that are exported as %s and imported are the same rows, without their answer keys',
  async (end) => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const path = join(await freshFolder(), `set.${end}`);
        await writeSet(openSet('rows', path, {}), rows);
        const read: Row[] = [];
        for await (const found of importFiles({ paths: [path] })) if (found.kind === 'row') read.push(found.row);
        const expected = rows.map((row) => parseJson(stringifyJson(exportRow(row)))); // as JSON has it
        expect(read.map(({ source_file: _, lineage: __, ...row }) => row)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  },
);
