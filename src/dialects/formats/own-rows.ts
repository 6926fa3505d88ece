import { parseJson } from '../../core/json.ts';
import { traceRow } from '../../rows/trace-row.ts';
import { isObject, type JsonObject } from '../fields.ts';
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
    const whole = withToolList(value);
    if (whole['schema_version'] !== undefined && Array.isArray(whole['steps'])) return rowFinding(whole);
    const row = traceRow(whole);
    return row ? rowFinding(row) : rejected('empty_row', value);
  },
};

/** Training files may have their tool schemas as JSON text; text that is no list is no tools. */
function withToolList(row: JsonObject): JsonObject {
  const { tools, ...rest } = row;
  if (typeof tools !== 'string') return row;
  try {
    const list: unknown = parseJson(tools);
    return Array.isArray(list) ? { ...rest, tools: list } : rest;
  } catch {
    return rest;
  }
}
