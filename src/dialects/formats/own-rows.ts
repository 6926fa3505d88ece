import { isObject, type JsonObject, listOf } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';

const stepNames = ['steps', 'tool_trace', 'trace'];
const isOwn = (value: unknown) =>
  isObject(value) &&
  (value['schema_version'] !== undefined || stepNames.some((name) => Array.isArray(value[name]))) &&
  !Array.isArray(value['completion']);

/** Rows of this project and of the reference SDK, and loose rows of the same kind: prompt, steps, final text. */
export const ownRows: FileFormat = {
  name: 'rows',
  unit: 'record',
  detect: ({ values }) => values.some(isOwn),
  read(value) {
    if (!isObject(value)) return rejected('invalid_record', value);
    return hasContent(value) ? rowFinding(value) : rejected('empty_row', value);
  },
};

const hasContent = (row: JsonObject) =>
  Boolean(row['prompt']) || stepNames.some((name) => listOf(row[name]).length > 0);
