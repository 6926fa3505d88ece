import { open, rename, rm, stat } from 'node:fs/promises';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { TracemillError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import { cellOf } from '../dialects/parquet/cells.ts';
import { type ColumnType, columnTypes } from '../dialects/parquet/column-type.ts';
import { featuresNote, noteOf, tableNote } from '../dialects/parquet/table-notes.ts';

/** Tell whether a set is to be written as Parquet. */
export const isParquet = (path: string): boolean => /\.parquet$/i.test(path);

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];
const groupRows = 1000;

/**
 * Write rows as a Parquet file, whole or not at all. They are read twice: the types of the columns come first. Read back,
 * they are the same rows. Memory: 1000 rows.
 *
 * @throws TM_SINK - the file cannot be written
 */
export async function writeParquet(
  path: string,
  rows: () => AsyncIterable<JsonObject>,
  { isPrivate = false }: { readonly isPrivate?: boolean } = {},
): Promise<void> {
  const types = columnTypes();
  for await (const row of rows()) types.add(row);
  const columns = types.end();
  const beside = `${path}.partial`;
  const inode = async (): Promise<number | undefined> => (await stat(beside).catch(() => undefined))?.ino;
  let ours: number | undefined;
  try {
    await rm(beside, { force: true }); // a run that still writes it must not share ours
    const made = await open(beside, 'wx', isPrivate ? 0o600 : 0o666);
    ours = (await made.stat()).ino;
    await made.close();
    const features = featuresNote(columns);
    const writer = new ParquetWriter({
      writer: fileWriter(beside),
      schema: schemaOf(columns),
      kvMetadata: [
        { key: tableNote, value: noteOf(columns) },
        ...(features === undefined ? [] : [{ key: 'huggingface', value: features }]),
      ],
      createdBy: 'tracemill',
    });
    let group: JsonObject[] = [];
    const flush = async (): Promise<void> => {
      if (group.length === 0) return;
      await writer.write({
        columnData: [...columns].map(([name, type]) => ({ name, data: group.map((row) => cellOf(row[name], type)) })),
        rowGroupSize: groupRows,
      });
      group = [];
    };
    for await (const row of rows()) {
      group.push(row);
      if (group.length === groupRows) await flush();
    }
    await flush();
    await writer.finish();
    await onDisk(beside);
    if ((await inode()) !== ours) throw new TracemillError('TM_SINK', 'another run writes it at the same time');
    await rename(beside, path);
  } catch (cause) {
    if ((await inode()) === ours) await rm(beside, { force: true });
    throw new TracemillError('TM_SINK', `${path} cannot be written`, { cause });
  }
}

async function onDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync();
  await file.close();
}

const schemaOf = (columns: ReadonlyMap<string, ColumnType>): SchemaElement[] => [
  { name: 'root', num_children: columns.size },
  ...[...columns].flatMap(([name, type]) => elementsOf(name, type)),
];

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
});
const physical = { int: 'INT64', float: 'DOUBLE', flag: 'BOOLEAN' } as const;

function elementsOf(name: string, type: ColumnType): SchemaElement[] {
  if (type.kind === 'text' || type.kind === 'json') return [text(name)];
  if (type.kind === 'list') return listOf(name, elementsOf('element', { kind: type.of }));
  if (type.kind === 'messages') return listOf(name, turnElements(type.fields));
  return [{ name, type: physical[type.kind], repetition_type: 'OPTIONAL' }];
}

const listOf = (name: string, element: SchemaElement[]): SchemaElement[] => [
  { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...element,
];

const struct = (name: string, fields: readonly SchemaElement[][]): SchemaElement[] => [
  { name, repetition_type: 'OPTIONAL', num_children: fields.length },
  ...fields.flat(),
];

function turnElements(fields: readonly string[]): SchemaElement[] {
  const called = struct('function', [[text('name')], [text('arguments')]]);
  const calls = listOf('tool_calls', struct('element', [[text('id')], [text('type')], called]));
  return struct(
    'element',
    fields.map((field) => (field === 'tool_calls' ? calls : [text(field)])),
  );
}
