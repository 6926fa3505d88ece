import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';

const jsonSchema = z.record(z.string(), z.unknown());

/**
 * One tool of an agent in the one form used inside. `parameters` is the JSON Schema as it came, word for word. Loose:
 * local keys (`returns`, `mock`, `drafted`, MCP's `annotations`) travel on but never reach a model.
 */
export const toolSchema = z.looseObject({
  name: z.string().min(1),
  description: z.string(),
  parameters: jsonSchema,
  /** What a result's `data` must look like: MCP's `outputSchema`. */
  output_schema: jsonSchema.optional(),
  /** `human`: answered by the simulated person, not by the world. */
  kind: z.string().optional(),
});

export type Tool = Readonly<z.output<typeof toolSchema>>;

/** A tool as OpenAI-compatible servers take it, and as rows carry it. */
export interface ModelTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Tool['parameters'] };
}

/** Write a tool for a model: name, description and parameters, nothing local. */
export function toModelTool({ name, description, parameters }: Tool): ModelTool {
  return { type: 'function', function: { name, description, parameters } };
}

type Json = Readonly<Record<string, unknown>>;
/** What the field calls the schema of the arguments and of the result. */
const inputKeys = ['parameters', 'input_schema', 'inputSchema', 'args_schema'] as const;
const outputKeys = ['output_schema', 'outputSchema', 'response'] as const;

/**
 * Read a tool list in any of its common forms: OpenAI function tools, Responses and Anthropic tools, MCP `tools/list`
 * answers, Gemini declarations, plain `{name, description, parameters}`, or an object of tools by name.
 *
 * @throws TM_OPTIONS - it is no such list, a tool has no name or a schema that is no object, or two share a name
 * @source house rule; MCP specification 2025-06-18, tools
 */
export function toolsFrom(value: unknown): readonly Tool[] {
  const tools = listOf(value).map(toolFrom);
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (seen.has(name)) throw refused(`two tools are named ${name}; rename one of them`);
    seen.add(name);
  }
  return tools;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => declarations(item) ?? [item]);
  if (!isObject(value)) throw refused(`expected a list of tools, got ${typeof value}`);
  if (isObject(value['result'])) return listOf(value['result']);
  if (value['tools'] !== undefined) return listOf(value['tools']);
  const declared = declarations(value);
  if (declared) return declared;
  if (typeof value['name'] === 'string' || isObject(value['function'])) return [value];
  if (Object.values(value).every(isObject))
    return Object.entries(value).map(([name, tool]) => ({ name, ...(tool as Json) }));
  throw refused('expected a list of tools, or an object with one under `tools`');
}

/** Gemini groups its tools: `{functionDeclarations: [...]}`. */
function declarations(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value)) return undefined;
  const list = value['functionDeclarations'] ?? value['function_declarations'];
  return Array.isArray(list) ? list : undefined;
}

function toolFrom(value: unknown, index: number): Tool {
  const at = `tools[${index}]`;
  if (!isObject(value))
    throw refused(`${at}: a tool is an object with a name, got ${value === null ? 'null' : typeof value}`);
  const inner = value['function'];
  const given: Json = isObject(inner) ? { ...without(value, ['type', 'function']), ...inner } : value;
  const { name, description } = given;
  if (typeof name !== 'string' || name.trim() === '') throw refused(`${at}: the tool has no name`);
  if (description !== undefined && description !== null && typeof description !== 'string')
    throw refused(`${at} (${name}): the description must be text`);
  const output = schemaOf(given, outputKeys, `${at} (${name})`);
  const rest = without(given, ['type', 'strict', ...inputKeys, ...outputKeys]);
  const tool = {
    ...rest,
    name,
    description: description ?? '',
    parameters: schemaOf(given, inputKeys, `${at} (${name})`) ?? { type: 'object', properties: {} },
    ...(output === undefined ? {} : { output_schema: output }),
  };
  const parsed = toolSchema.safeParse(tool);
  if (!parsed.success) throw refused(`${at} (${name}): ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function schemaOf(tool: Json, keys: readonly string[], at: string): Json | undefined {
  const key = keys.find((one) => tool[one] !== undefined && tool[one] !== null);
  if (key === undefined) return undefined;
  const schema = tool[key];
  if (!isObject(schema)) throw refused(`${at}: ${key} must be a JSON Schema object`);
  return schema;
}

const without = (value: Json, keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const refused = (message: string) => new TracemillError('TM_OPTIONS', `tools: ${message}`);
