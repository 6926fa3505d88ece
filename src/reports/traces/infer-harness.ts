import { isObject } from '../../core/json-object.ts';
import { callsMade } from '../../rows/calls-made.ts';
import type { ModelTool } from '../../rows/tool.ts';

type TracedTool = { readonly type: 'function'; readonly function: Omit<ModelTool['function'], 'description'> };

/** An agent as its traces show it. */
export interface InferredHarness {
  readonly tools: readonly TracedTool[];
  /** Traces do not show it. */
  readonly policy: '';
  readonly observed_calls: Readonly<Record<string, number>>;
}

/** Read a tool list off traces: each tool that was called, by name, with the arguments it was ever given, as texts. */
export function toolsFromTraces(rows: readonly unknown[]): readonly TracedTool[] {
  return [...callsByTool(rows)].map(([name, { types }]) =>
    toolOf(
      name,
      [...types.keys()].sort().map((key) => [key, 'string']),
    ),
  );
}

/**
 * Infer an agent's tools from traces: the JSON type of each argument (text where traces differ), required where every
 * call gave it.
 *
 * @source house rule
 */
export function inferHarness(rows: readonly unknown[]): InferredHarness {
  const calls = callsByTool(rows);
  const tools = [...calls].map(([name, { types, n }]) => {
    const names = [...types.keys()].sort();
    const required = names.filter((key) => types.get(key)?.n === n);
    const tool = toolOf(
      name,
      names.map((key) => [key, typeOf(types.get(key)?.seen ?? new Set())]),
    );
    return { ...tool, function: { ...tool.function, parameters: { ...tool.function.parameters, required } } };
  });
  return { tools, policy: '', observed_calls: Object.fromEntries([...calls].map(([name, { n }]) => [name, n])) };
}

interface Seen {
  n: number;
  readonly types: Map<string, { n: number; readonly seen: Set<string> }>;
}

function callsByTool(rows: readonly unknown[]): Map<string, Seen> {
  const tools = new Map<string, Seen>();
  for (const row of rows.filter(isObject))
    for (const { tool, arguments: given } of callsMade(row)) {
      const seen = tools.get(tool) ?? { n: 0, types: new Map() };
      tools.set(tool, seen);
      seen.n++;
      for (const [key, value] of Object.entries(given)) {
        const argument = seen.types.get(key) ?? { n: 0, seen: new Set<string>() };
        seen.types.set(key, argument);
        argument.n++;
        if (value !== null) argument.seen.add(jsonType(value));
      }
    }
  return new Map([...tools].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const toolOf = (name: string, properties: readonly (readonly [string, string])[]): TracedTool => ({
  type: 'function',
  function: {
    name,
    parameters: { type: 'object', properties: Object.fromEntries(properties.map(([key, type]) => [key, { type }])) },
  },
});

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' || typeof value === 'object' ? typeof value : 'string';
}

/** One type when all calls agree; whole and broken numbers agree as numbers. */
function typeOf(seen: ReadonlySet<string>): string {
  const [only] = seen;
  if (seen.size === 1 && only !== undefined) return only;
  return seen.size === 2 && seen.has('integer') && seen.has('number') ? 'number' : 'string';
}
