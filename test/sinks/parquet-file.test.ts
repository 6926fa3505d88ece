import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import { expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json-object.ts';
import { writeParquet } from '../../src/sinks/parquet-file.ts';
import { importFiles } from '../../src/sources/files/index.ts';
import { parquetRows } from '../../src/sources/files/parquet.ts';
import { freshFolder } from '../folder.ts';

async function roundTrip(rows: readonly JsonObject[]): Promise<JsonObject[]> {
  const path = join(await freshFolder(), 'rows.parquet');
  await writeParquet(path, async function* () {
    yield* rows;
  });
  const read: JsonObject[] = [];
  for await (const row of parquetRows(path)) read.push(row);
  return read;
}

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', 'null', '1', '\u2028', '{"a":1}'));
const call = (args: fc.Arbitrary<unknown>) =>
  fc.record({ id: text, type: fc.constant('function'), function: fc.record({ name: text, arguments: args }) });
const turn = (args: fc.Arbitrary<unknown>) =>
  fc.record(
    {
      role: fc.constantFrom('user', 'assistant', 'tool'),
      content: text,
      name: text,
      tool_calls: fc.array(call(args), { minLength: 1 }),
    },
    { requiredKeys: ['role', 'content'] },
  );
const whole = fc.oneof(fc.integer(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }));
const plain = fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.parse(JSON.stringify(value)) as unknown); // no -0
const columns: readonly fc.Arbitrary<unknown>[] = [
  text,
  whole,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.boolean(),
  fc.array(fc.integer()),
  fc.array(fc.oneof(fc.integer(), fc.constant(0.5))),
  fc.array(text),
  fc.array(turn(text)),
  fc.array(turn(fc.dictionary(text, plain))),
  fc.array(fc.oneof(turn(text), plain)),
  plain,
];
/** Rows whose columns hold one kind of value each, often, or none, or of two kinds. */
const table = fc
  .array(fc.constantFrom(...columns), { minLength: 1, maxLength: 5 })
  .chain((kinds) =>
    fc.array(
      fc.record(
        Object.fromEntries(
          kinds.map((kind, n) => [`c${n}`, fc.oneof({ weight: 9, arbitrary: kind }, fc.constant(null), plain)]),
        ),
        { requiredKeys: ['c0'] },
      ),
      { minLength: 1, maxLength: 8 },
    ),
  );
const withoutNulls = (row: JsonObject) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

it('rows that are written and read back are the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (made) => {
      const rows = made.map((row) => parseJson(stringifyJson(row)) as JsonObject); // as rows are read
      expect(await roundTrip(rows)).toEqual(rows.map(withoutNulls));
    }),
    { numRuns: 40 },
  );
});

it('more rows than a group holds keep their order', async () => {
  const rows = Array.from({ length: 2500 }, (_, n) => ({ n, text: `row ${n}`, odd: n % 2 === 1 }));
  expect(await roundTrip(rows)).toEqual(rows);
});

it('turns are columns that loaders read as they are, and calls with objects say that they are JSON', async () => {
  const path = join(await freshFolder(), 'rows.parquet');
  const messages = [
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 't', arguments: { a: null } } }],
    },
  ];
  await writeParquet(path, async function* () {
    yield { messages, loss_mask: [0, 1] };
  });
  const { schema, key_value_metadata: notes = [] } = await parquetMetadataAsync(await asyncBufferFromFile(path));
  expect(schema.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['messages', 'role', 'content', 'arguments', 'loss_mask']),
  );
  expect(notes.map(({ key }) => key)).toEqual(['tracemill', 'huggingface']);
  expect(
    JSON.parse(String(notes[1]?.value)).info.features.messages.feature.tool_calls.feature.function.arguments,
  ).toEqual({
    _type: 'Json',
  });
});

it('a damaged file is named, and a failed write leaves nothing', async () => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'bad.parquet'), 'PAR1 and then nothing of the kind');
  const reading = async () => {
    for await (const _ of importFiles({ paths: [join(folder, 'bad.parquet')] })) void _;
  };
  await expect(reading()).rejects.toMatchObject({ code: 'TM_SOURCE', reason: 'not_parquet' });
  const failing = writeParquet(join(folder, 'no.parquet'), async function* () {
    yield { a: 1 };
    yield* [{ a: 2 }];
    if (await readdir(folder).then((files) => files.includes('no.parquet.partial'))) throw new Error('gone');
  });
  await expect(failing).rejects.toMatchObject({ code: 'TM_SINK' });
  expect(await readdir(folder)).toEqual(['bad.parquet']);
});
