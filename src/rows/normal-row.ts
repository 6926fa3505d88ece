import { parseJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { detectShape, jsonTextColumns } from './row-shape.ts';
import { traceRow } from './trace-row.ts';

/**
 * Bring a row of any shape to the names of schema v1. Rows of the known writers come as they are; JSON text columns are
 * parsed; foreign shapes are read as traces, but their verdict stays as it was given. A user step that is the ask itself
 * is left out, or the ask would be said twice when messages are rebuilt.
 */
export function normalRow(row: JsonObject): JsonObject {
  const shape = detectShape(row);
  if (shape === 'v1' || shape === 'engine' || shape === 'otel') return row;
  return shape === 'hf_flat' ? parsedColumns(row) : foreignRow(row);
}

function parsedColumns(row: JsonObject): JsonObject {
  const out = new Map(Object.entries(row));
  for (const column of jsonTextColumns) {
    const value = jsonOf(row[column]);
    const name = column.slice(0, -'_json'.length);
    const fits = name === 'metadata' ? isObject(value) : Array.isArray(value);
    if (!fits) continue; // what cannot be used stays under its own name
    out.delete(column);
    const isEmpty = name === 'metadata' ? !out.has(name) : !isFilledList(out.get(name));
    if (isEmpty) out.set(name, value);
  }
  return Object.fromEntries(out);
}

function foreignRow(row: JsonObject): JsonObject {
  const read = traceRow(row);
  if (read === undefined) return row;
  const source = ['steps', 'tool_trace', 'trace'].find((key) => isFilledList(row[key]));
  const isAskInSteps = source === undefined || !row['prompt'];
  const { tool_trace, trace, reward: _, ...rest } = read;
  return {
    ...rest,
    ...('reward' in row ? { reward: row['reward'] } : {}),
    ...(tool_trace === undefined || source === 'tool_trace' ? {} : { tool_trace }),
    ...(trace === undefined || source === 'trace' ? {} : { trace }),
    ...(isAskInSteps ? withoutAsk(rest) : {}),
  };
}

/** The first user step is the ask; what the agent said before it is the opener. */
function withoutAsk({ steps, prompt, opener }: JsonObject): JsonObject {
  if (!Array.isArray(steps)) return {};
  const at = steps.findIndex((step: JsonObject) => 'user' in step);
  const before = steps.slice(0, Math.max(at, 0));
  if (at < 0 || steps[at].user !== prompt || before.some(({ tool }: JsonObject) => tool !== undefined)) return {};
  const said = before.map(({ text }: JsonObject) => String(text ?? '')).join('\n');
  return { steps: steps.slice(at + 1), ...(said === '' || opener ? {} : { opener: said, opening: 'agent' }) };
}

function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined; // it stays text
  }
}

const isFilledList = (value: unknown) => Array.isArray(value) && value.length > 0;
