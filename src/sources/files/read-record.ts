import { isObject, type JsonObject } from '../../core/json-object.ts';
import type { FileFormat, Finding, Sample } from '../../dialects/format.ts';
import { formatOfRecord } from '../../dialects/formats/index.ts';

/** A record and the format it was read as. */
interface ReadRecord {
  readonly by: FileFormat;
  /** None yet of a format whose records are read together. */
  readonly findings: readonly Finding[];
}

/** The file a record stands in. */
interface InFile extends Pick<Sample, 'container' | 'extension'> {
  readonly reader: FileFormat;
  /** The format was forced on the file: no other is tried. */
  readonly isForced: boolean;
}

/**
 * Read a record as what its file is; one that is not of that format is read as what it shows by itself, since files of several
 * sources are put together. A record that its file's format reads is looked at once.
 */
export function readRecord({ reader, isForced, ...about }: InFile, value: unknown): ReadRecord {
  const alone = () => (isForced || about.container === 'object' ? undefined : formatOfRecord(value, about));
  if (reader.unit === 'file') {
    const isOwn = reader.detect({ ...about, first: value, values: [value] });
    const own = isOwn ? undefined : alone();
    return own ? readAs(own, value, [own]) : { by: reader, findings: [] };
  }
  const findings = read(reader, value);
  if (!findings.every(({ kind }) => kind === 'rejected')) return { by: reader, findings };
  const own = alone();
  if (own === undefined || own === reader) return { by: reader, findings: findings.map(triedAs([reader])) };
  return readAs(own, value, [reader, own]);
}

const readAs = (format: FileFormat, value: unknown, tried: readonly FileFormat[]): ReadRecord => ({
  by: format,
  findings: format.unit === 'file' ? [] : read(format, value).map(triedAs(tried)),
});

const triedAs =
  (formats: readonly FileFormat[]) =>
  (finding: Finding): Finding =>
    finding.kind === 'rejected' ? { ...finding, tried: formats.map(({ name }) => name) } : finding;

/** A reader never throws for what is in a record; if one does, that record alone is rejected. */
export function read(reader: FileFormat, value: unknown): readonly Finding[] {
  try {
    return reader.read(value);
  } catch (error) {
    return [{ kind: 'rejected', reason: 'error', record: { error: String(error), record: value } }];
  }
}

/** Say of a row that it was read as another format than its file. */
export const readBy = ({ name }: FileFormat, row: JsonObject): JsonObject => ({
  ...row,
  lineage: { source: name, ...(isObject(row['lineage']) ? row['lineage'] : {}) },
});
