import { parseJson, stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import type { ColumnType } from './column-type.ts';

/** Make the cell of a value, as Parquet stores the type of its column. Null stands for no value. */
export function cellOf(value: unknown, type: ColumnType): unknown {
  if (value === undefined || value === null) return null;
  switch (type.kind) {
    case 'json':
      return stringifyJson(value);
    case 'int':
      return BigInt(value as number | bigint);
    case 'list':
      return type.of === 'int' ? (value as readonly number[]).map(BigInt) : value;
    case 'messages':
      return type.args === 'json' ? (value as readonly JsonObject[]).map(withTextArguments) : value;
    default:
      return value;
  }
}

/**
 * Read a cell back. A table that we wrote says the type of each column; of any other, null fields are left out, integers a
 * double holds are numbers, and dates are text.
 */
export function cellValue(cell: unknown, type: ColumnType | undefined): unknown {
  if (cell === null || cell === undefined) return undefined;
  if (type?.kind === 'json') return parseJson(String(cell));
  const value = plain(cell);
  return type?.kind === 'messages' && type.args === 'json' && Array.isArray(value)
    ? value.map(withObjectArguments)
    : value;
}

function plain(cell: unknown): unknown {
  if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
  if (cell instanceof Date) return cell.toISOString();
  if (Array.isArray(cell)) return cell.map((one) => (one === undefined ? null : plain(one)));
  if (ArrayBuffer.isView(cell) && !(cell instanceof Uint8Array))
    return Array.from(cell as unknown as ArrayLike<unknown>, plain);
  if (!isObject(cell) || cell instanceof Uint8Array) return cell;
  const fields = Object.entries(cell).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(fields.map(([key, value]) => [key, plain(value)]));
}

type ChangeArguments = (given: unknown) => unknown;

function withArguments(turn: JsonObject, change: ChangeArguments): JsonObject {
  const { tool_calls: calls } = turn;
  if (!Array.isArray(calls)) return turn;
  return {
    ...turn,
    tool_calls: calls.map((call: JsonObject) => {
      const called = call['function'] as JsonObject; // the type of the column says so
      return { ...call, function: { ...called, arguments: change(called['arguments']) } };
    }),
  };
}

const withTextArguments = (turn: JsonObject) => withArguments(turn, stringifyJson);
const withObjectArguments = (turn: JsonObject) => withArguments(turn, (text) => parseJson(String(text)));
