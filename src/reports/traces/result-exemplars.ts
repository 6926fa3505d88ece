import { z } from 'zod';
import { stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { callsMade } from '../../rows/calls-made.ts';
import { faultOfResult } from '../../rows/trace-fault.ts';

/** Options of `mineResultExemplars`. */
const options = z.strictObject({
  perTool: z.int().min(1).default(3).describe('Results kept for each tool, one of each shape.'),
});

const maxText = 160;
const maxItems = 2;
const maxKeys = 12;
const maxChars = 500;
const shapeKeys = 10;

/** Results of real calls, by tool. */
export type ResultExemplars = Readonly<Record<string, readonly unknown[]>>;

/**
 * Pick results of real calls that a mock can imitate: clean, not empty, one of each shape, cut short; a bare status says
 * nothing and is passed over.
 *
 * @source house rule
 */
export function mineResultExemplars(rows: readonly unknown[], config: z.input<typeof options> = {}): ResultExemplars {
  const { perTool } = parseOptions('mineResultExemplars', options, config);
  const found = new Map<string, Map<string, unknown>>();
  for (const row of rows.filter(isObject))
    for (const { tool, result } of callsMade(row)) {
      if (isSilent(result) || faultOfResult(result) !== undefined) continue;
      const shapes = found.get(tool) ?? new Map<string, unknown>();
      const shape = shapeOf(result);
      if (shapes.size >= perTool || shapes.has(shape)) continue;
      const short = cut(result);
      if (stringifyJson(short).length > maxChars) continue;
      shapes.set(shape, short);
      found.set(tool, shapes);
    }
  return Object.fromEntries([...found].map(([tool, shapes]) => [tool, [...shapes.values()]]));
}

/** The shape of each tool's results: its first object, or its first list of objects as `results`. */
export function exemplarResultShapes(exemplars: ResultExemplars): Readonly<Record<string, JsonObject>> {
  const shapes = Object.entries(exemplars).flatMap(([tool, results]) => {
    const object = results.find(isObject);
    const list = results.find((one): one is readonly unknown[] => Array.isArray(one) && isObject(one[0]));
    const shape = object ?? (list ? { results: [list[0]] } : undefined);
    return shape === undefined ? [] : [[tool, shape] as const];
  });
  return Object.fromEntries(shapes);
}

function isSilent(result: unknown): boolean {
  if (result === undefined || result === null || result === '') return true;
  if (Array.isArray(result)) return result.length === 0;
  if (!isObject(result)) return false;
  return Object.keys(result).every((key) => key === 'status' || key === 'ok');
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${shapeOf(value[0])}]`;
  if (isObject(value)) return `{${Object.keys(value).sort().slice(0, shapeKeys).join()}}`;
  return typeof value === 'string' ? `text ${Math.min(4, Math.floor(value.length / 100))}` : typeof value;
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxText ? `${value.slice(0, maxText - 3)}...` : value;
  if (Array.isArray(value)) return value.slice(0, maxItems).map(cut);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxKeys)
      .map(([key, inner]) => [key, cut(inner)]),
  );
}
