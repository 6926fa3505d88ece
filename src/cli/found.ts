import { isObject, type JsonObject } from '../core/json-object.ts';
import type { Row } from '../rows/row.ts';
import type { Imported } from '../sources/files/index.ts';

/**
 * Gather what files say of the agent itself: its tools, the first of each name, and its policy: a document of
 * its own before the first system prompt of a run.
 */
export function found() {
  const tools = new Map<string, JsonObject>();
  let policy: string | undefined;
  let systemPrompt: string | undefined;
  const tool = (one: unknown): void => {
    if (!isObject(one)) return;
    const inner = isObject(one['function']) ? one['function'] : one;
    const name = inner['name'];
    if (typeof name === 'string' && !tools.has(name)) tools.set(name, one);
  };
  return {
    finding(one: Imported): void {
      if (one.kind === 'tool') tool(one.tool);
      if (one.kind === 'policy') policy ??= one.text;
    },
    row(row: Row): void {
      if (Array.isArray(row['tools'])) row['tools'].forEach(tool);
      const said = row['system_prompt'] ?? systemOf(row.messages);
      if (typeof said === 'string' && said !== '') systemPrompt ??= said;
    },
    end: () => ({ tools: [...tools.values()], systemPrompt: policy ?? systemPrompt }),
  };
}

function systemOf(messages: Row['messages']): unknown {
  const [first] = messages ?? [];
  return first?.['role'] === 'system' ? first['content'] : undefined;
}
