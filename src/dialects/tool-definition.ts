import { fieldsOf, firstOf, isObject, type JsonObject, listOf, present, textOf } from './fields.ts';
import { containerOf } from './json-text.ts';

const schemaNames = ['parameters', 'inputSchema', 'input_schema', 'args_schema', 'json_schema', 'schema'];

/** A tool as rows carry it. */
export interface ToolDefinition extends JsonObject {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: JsonObject };
}

/**
 * Read a tool's definition from the OpenAI, Anthropic, MCP, Gemini or AI SDK shape, the schema as it came. Undefined
 * when the value names no tool: this is for tools found beside runs; `toolsFrom` is the strict reader of tool lists.
 */
function toolOf(value: unknown): ToolDefinition | undefined {
  const outer = fieldsOf(containerOf(value));
  const inner = isObject(outer['function']) ? outer['function'] : outer;
  const name = textOf(inner['name']);
  if (name === undefined) return undefined;
  const read = containerOf(firstOf(inner, schemaNames));
  const parameters = isObject(read) && isObject(read['jsonSchema']) ? read['jsonSchema'] : read;
  return {
    type: 'function',
    function: present({
      name,
      description: textOf(inner['description']),
      parameters: isObject(parameters) ? parameters : undefined,
    }) as ToolDefinition['function'],
  };
}

/** Read a list of tools, its JSON text, or an object that holds one; the first of each name stays. */
export function toolsOf(value: unknown): ToolDefinition[] {
  if (value === undefined) return [];
  const read = containerOf(value);
  const list = isObject(read)
    ? listOf(read['tools'] ?? read['function_declarations'] ?? read['functionDeclarations'])
    : listOf(read);
  const nested = list.flatMap((one) => {
    const inner = fieldsOf(one)['function_declarations'] ?? fieldsOf(one)['functionDeclarations'];
    return Array.isArray(inner) ? inner : [one];
  });
  const byName = new Map<string, ToolDefinition>();
  for (const tool of nested.flatMap((one) => toolOf(one) ?? []))
    if (!byName.has(tool.function.name)) byName.set(tool.function.name, tool);
  return [...byName.values()];
}
