import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { parseOptions } from '../../core/operator.ts';
import { type FileFormat, type Finding, rejected, type Sample } from '../../dialects/format.ts';
import { plainText } from '../../dialects/formats/documents.ts';
import { fileFormats, formatOf } from '../../dialects/formats/index.ts';
import { type HubAccess, isHubPlace } from '../../dialects/hub.ts';
import { stamper } from '../../dialects/stamp.ts';
import type { Row } from '../../rows/row.ts';
import { type Content, openContent, type Value } from './content.ts';
import { fetchFromHub } from './hub-files.ts';
import { type FilePath, findFiles } from './paths.ts';
import { read, readBy, readRecord } from './read-record.ts';

/** What to read; the options of `importFiles` and `filesSource`. */
export const fileOptions = z.strictObject({
  paths: z
    .array(z.string().min(1))
    .min(1)
    .describe(
      'Files, folders and globs (`*`, `?`, `**`) to read; `-` is the standard input, `hf://owner/name[@revision][/file][#split]` a set on the Hub. Gzip and Parquet are seen by their content.',
    ),
  format: z
    .string()
    .optional()
    .describe('Format of all files. Without it each file is read as what its content shows.'),
});

/** What a file held, one by one, with the name of the file. */
export type Imported = (Exclude<Finding, { readonly kind: 'row' }> | { readonly kind: 'row'; readonly row: Row }) & {
  readonly file: string;
};

/** Values looked at before a format is chosen. */
const sampleSize = 20;

/**
 * Read files of any known format, record by record: rows, and the tools, tasks, labels, pairs and policies found on the
 * way. A record that cannot be read is a finding of the kind `rejected` and loses no other. JSONL streams; a file of one
 * document is read whole. A file the caller named must be readable; in a folder or glob a file of no known format is
 * one rejection, as a document or a line of too many bytes is anywhere, and so is a text beside other files that is not named as a policy.
 *
 * @throws TM_OPTIONS - an option is wrong, or the format is unknown
 * @throws TM_SOURCE - a named file is missing, empty, or of no known format
 */
export async function* importFiles(config: z.input<typeof fileOptions>, hub: HubAccess = {}): AsyncGenerator<Imported> {
  const { paths, format } = parseOptions('importFiles', fileOptions, config);
  if (format !== undefined && !fileFormats.some(({ name }) => name === format)) formatOf(nothing, format);
  const local = paths.filter((path) => !isHubPlace(path));
  const files = local.length > 0 ? await findFiles(local) : [];
  for (const file of files) yield* importFile({ ...file, isBeside: files.length > 1 }, format);
  for (const address of paths.filter(isHubPlace)) {
    const { paths: fetched, forget } = await fetchFromHub(address, hub);
    try {
      for (const path of fetched) yield* importFile({ path, named: true }, format);
    } finally {
      await forget();
    }
  }
}

const nothing: Sample = { container: 'text', first: undefined, values: [], extension: '' };

/** A file to read, and whether others are read with it. */
interface ReadPath extends FilePath {
  readonly isBeside?: boolean;
}

async function* importFile(
  { path, named, isBeside = false }: ReadPath,
  format: string | undefined,
): AsyncGenerator<Imported> {
  let opened: Opened;
  try {
    opened = await openFormat(path, format);
  } catch (error) {
    if (!(error instanceof TracemillError) || (named && error.reason !== 'too_large')) throw error;
    yield { kind: 'rejected', reason: error.reason, record: { path, message: error.message }, file: path };
    return;
  }
  const { content, reader, isOwn } = opened;
  const file = content.name;
  if (reader === plainText && format === undefined && isBeside && !named && !isNamedPolicy(file)) {
    const message = `${path}: a text in a folder is a policy only by its name, such as policy.md or system_prompt.txt`;
    yield { kind: 'rejected', reason: 'unnamed_text', record: { path, message }, file };
    return;
  }
  const stamp = stamper({ source_file: file, format: reader.name });
  const finish = (finding: Finding, by: FileFormat, record: number, notNumbers = 0): Imported => {
    if (finding.kind !== 'row') return { ...finding, file };
    const row = stamp(by === reader ? finding.row : readBy(by, finding.row), record, notNumbers);
    return row ? { kind: 'row', row, file } : { kind: 'rejected', reason: 'invalid_row', record: finding.row, file };
  };
  const inFile = { reader, isForced: format !== undefined, container: content.container, extension: content.extension };
  const together = new Map<FileFormat, unknown[]>();
  let record = 0;
  for await (const value of named ? content.values : asFarAsReadable(content.values)) {
    const line = value.line === undefined ? {} : { line: value.line };
    if ('broken' in value) yield { kind: 'rejected', reason: value.reason, record: value.broken, file, ...line };
    else {
      const { by, findings } = readRecord(inFile, value.value);
      for (const finding of findings)
        yield { ...finish(finding, by, record, value.notNumbers), ...(finding.kind === 'rejected' ? line : {}) };
      if (by.unit === 'file') heldWith(by, together).push(value.value);
    }
    record++;
  }
  for (const [by, values] of together)
    for (const [n, finding] of readWhole(by, values, by !== reader || isOwn, path).entries())
      yield finish(finding, by, n);
}

/** Values up to where the file cannot be read any more, such as a gzip that ends too early: that is one that is broken. */
async function* asFarAsReadable(values: AsyncIterable<Value>): AsyncGenerator<Value> {
  try {
    yield* values;
  } catch (error) {
    if (!(error instanceof TracemillError)) throw error;
    yield { broken: error.message, reason: error.reason };
  }
}

/** The values that are read together with those of a format. */
function heldWith(format: FileFormat, together: Map<FileFormat, unknown[]>): unknown[] {
  const held = together.get(format) ?? [];
  together.set(format, held);
  return held;
}

/** Notes and logs lie in folders too, and what becomes the policy is told to the agent of every row. */
const isNamedPolicy = (file: string): boolean =>
  /polic(y|ies)|system[ _-]?(prompt|message)|prompts?\b|instructions?|guidelines|rules/i.test(file);

/**
 * The findings of a file that is read at once. That there are none is one, too: of its own format it is a document, such as
 * spans of no agent; of a format that was forced on it, it is rejected.
 */
function readWhole(reader: FileFormat, values: readonly unknown[], isOwn: boolean, path: string): readonly Finding[] {
  const findings = read(reader, values);
  if (findings.length > 0) return findings;
  if (isOwn) return [{ kind: 'document', document: values }];
  const message = `the format ${reader.name} finds nothing in it that a row could be made of`;
  return rejected('empty_conversation', { path, message });
}

interface Opened {
  readonly content: Content;
  readonly reader: FileFormat;
  /** The format knows the file as one of its own. */
  readonly isOwn: boolean;
}

/** Look at the first values of a file and put them back before the rest. */
async function openFormat(path: string, format: string | undefined): Promise<Opened> {
  const content = await openContent(path);
  const rest = content.values[Symbol.asyncIterator]();
  const head: Value[] = [];
  while (head.length < sampleSize) {
    const value = await rest.next();
    if (value.done) break;
    head.push(value.value);
  }
  const values = head.flatMap((value) => ('value' in value ? [value.value] : []));
  const [broken] = head;
  if (values.length === 0 && broken && 'broken' in broken && broken.reason === 'too_large') {
    await rest.return?.(undefined);
    throw new TracemillError('TM_SOURCE', broken.broken, { reason: 'too_large' });
  }
  const sample = { container: content.container, first: values[0], values, extension: content.extension };
  let reader: FileFormat;
  try {
    reader = formatOf(sample, format);
  } catch (error) {
    if (!(error instanceof TracemillError)) throw error;
    throw new TracemillError(error.code, `${path}: ${error.message.replace(/^TM_\w+: /, '')}`, {
      reason: error.reason, // without its cause: the sentence would be said twice
    });
  }
  return { content: { ...content, values: restored(head, rest) }, reader, isOwn: reader.detect(sample) };
}

async function* restored(head: readonly Value[], rest: AsyncIterator<Value>): AsyncGenerator<Value> {
  yield* head;
  for (let value = await rest.next(); !value.done; value = await rest.next()) yield value.value;
}
