import { traceRow } from '../../rows/trace-row.ts';
import { isObject } from '../fields.ts';
import { type FileFormat, rejected, rowFinding } from '../format.ts';

const stepNames = ['steps', 'tool_trace', 'trace'];
const isOwn = (value: unknown) =>
  isObject(value) &&
  (value['schema_version'] !== undefined || stepNames.some((name) => Array.isArray(value[name]))) &&
  !Array.isArray(value['completion']);

/** Rows of this project, as they are; of the reference SDK and loose ones, read as the traces they are. */
export const ownRows: FileFormat = {
  name: 'rows',
  unit: 'record',
  detect: ({ values }) => values.some(isOwn),
  read(value) {
    if (!isObject(value)) return rejected('invalid_record', value);
    if (value['schema_version'] !== undefined && Array.isArray(value['steps'])) return rowFinding(value);
    const row = traceRow(value);
    return row ? rowFinding(row) : rejected('empty_row', value);
  },
};
