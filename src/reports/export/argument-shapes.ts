import { isObject, type JsonObject } from '../../core/json-object.ts';
import { messageLists } from './tool-call-roundtrip.ts';

/** Tell whether calls with arguments as objects have more than one set of argument names, or one name with two types. */
export function argumentShapes() {
  const shapes = new Set<string>();
  return {
    add(sample: JsonObject): void {
      if (shapes.size > 1) return;
      const messages = messageLists.flatMap((key): unknown => sample[key]);
      for (const call of messages.flatMap(callsIn)) shapes.add(shapeOf(call));
    },
    isMixed: (): boolean => shapes.size > 1,
  };
}

function callsIn(message: unknown): readonly JsonObject[] {
  const calls = isObject(message) ? message['tool_calls'] : undefined;
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call) => {
    const given = isObject(call) && isObject(call['function']) ? call['function']['arguments'] : undefined;
    return isObject(given) ? [given] : [];
  });
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join('|')}]`;
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${shapeOf(inner)}`);
  return `{${fields.sort().join(',')}}`;
}
