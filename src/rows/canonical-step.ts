import type { JsonObject } from '../core/json-object.ts';

const argumentKeys = ['arguments', 'input', 'args', 'parameters'] as const;
const resultKeys = ['result', 'output', 'response'] as const;

/**
 * Give the arguments and the result of a tool step their names in the schema, whatever other stacks call them. Steps without
 * a tool stay as they are.
 *
 * @source house rule
 */
export function canonicalStep(step: JsonObject): JsonObject {
  return 'tool' in step ? renamed(renamed(step, argumentKeys), resultKeys) : step;
}

function renamed(step: JsonObject, [name, ...aliases]: readonly [string, ...string[]]): JsonObject {
  const alias = name in step ? undefined : aliases.find((key) => key in step);
  if (alias === undefined) return step;
  const { [alias]: value, ...rest } = step;
  return { ...rest, [name]: value };
}
