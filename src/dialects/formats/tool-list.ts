import { TracemillError } from '../../core/errors.ts';
import { toolsFrom } from '../../rows/tool.ts';
import { entryOf, fieldsOf, isObject, listOf, textOf } from '../fields.ts';
import { type FileFormat, type Finding, rejected } from '../format.ts';

const schemaNames = ['parameters', 'inputSchema', 'input_schema'];
const isTool = (value: unknown) => {
  const { function: inner, name } = fieldsOf(value);
  const tool = isObject(inner) ? inner : fieldsOf(value);
  return textOf(tool['name'] ?? name) !== undefined && schemaNames.some((key) => isObject(tool[key]));
};
const list = (value: unknown) => listOf(fieldsOf(fieldsOf(value)['result'] ?? value)['tools']);

/** Tool lists: OpenAI, Anthropic, MCP `tools/list`, and functions one a line, as BFCL documents them. */
export const toolList: FileFormat = {
  name: 'tools',
  unit: 'record',
  detect: ({ first }) => isTool(first) || (list(first).some(isTool) && !('messages' in fieldsOf(first))),
  read(value) {
    const tools = isTool(value) ? [value] : list(value);
    return tools.length === 0 ? rejected('invalid_record', value) : tools.flatMap(found);
  },
};

/** A schema as JSON Schema spells it; where it had to be respelled the original stays beside it. */
function found(value: unknown): readonly Finding[] {
  try {
    return toolsFrom([value]).map((tool) => {
      const parameters = respelled(tool.parameters);
      const same = JSON.stringify(parameters) === JSON.stringify(tool.parameters);
      const mended = same ? tool : { ...tool, parameters, original_parameters: tool.parameters };
      return { kind: 'tool', tool: mended };
    });
  } catch (error) {
    if (!(error instanceof TracemillError)) throw error;
    return rejected('invalid_tool', value);
  }
}

/** Type names of the Berkeley function list, of Java and of JavaScript, as JSON Schema names them. */
const types: Readonly<Record<string, string>> = {
  dict: 'object',
  hashmap: 'object',
  hashtable: 'object',
  float: 'number',
  double: 'number',
  long: 'integer',
  int: 'integer',
  short: 'integer',
  byte: 'integer',
  bigint: 'integer',
  tuple: 'array',
  list: 'array',
  arraylist: 'array',
  set: 'array',
  queue: 'array',
  stack: 'array',
  char: 'string',
  str: 'string',
  bool: 'boolean',
};

/** Respell type names below a schema; `any` says nothing and goes. Only the place of a type is touched, never a property named type. */
function respelled(schema: unknown): Readonly<Record<string, unknown>> {
  const { type, properties, items, additionalProperties, ...rest } = fieldsOf(schema);
  const name = typeof type === 'string' ? (entryOf(types, type.toLowerCase()) ?? type) : type;
  return {
    ...(name === undefined || name === 'any' ? {} : { type: name }),
    ...rest,
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, inner]) => [key, isObject(inner) ? respelled(inner) : inner]),
          ),
        }
      : properties === undefined
        ? {}
        : { properties }),
    ...(isObject(items) ? { items: respelled(items) } : items === undefined ? {} : { items }),
    ...(isObject(additionalProperties)
      ? { additionalProperties: respelled(additionalProperties) }
      : additionalProperties === undefined
        ? {}
        : { additionalProperties }),
  };
}
