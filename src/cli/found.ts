import { stringifyJson } from '../core/json.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import { createKeySet } from '../core/key-set.ts';
import { leadingPrompt } from '../reports/export/agent-of-row.ts';
import type { Row } from '../rows/row.ts';
import type { Imported } from '../sources/files/index.ts';

/** How rows agree on something that they say of their agent. */
export interface Agreement {
  /** Different values that were seen. */
  readonly n: number;
  /** Rows that say nothing of it. */
  readonly without: number;
  /** All rows say the same. */
  readonly isOne: boolean;
}

/**
 * Gather what files say of the agent itself: its tools, the first of each name, and its policy: a document of
 * its own before the first system prompt of a run. Rows of several agents may be in them: `prompts` and `lists` tell.
 * Memory: a hash for each different prompt and list of tools.
 */
export function found() {
  const tools = new Map<string, JsonObject>();
  const prompts = agreement();
  const lists = agreement();
  let hasOwnTools = false;
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
      if (one.kind === 'tool') hasOwnTools = true;
      if (one.kind === 'policy') policy ??= one.text;
    },
    row(row: Row): void {
      const list = Array.isArray(row['tools']) && row['tools'].length > 0 ? row['tools'] : undefined;
      list?.forEach(tool);
      lists.add(list && stringifyJson(list));
      const said = row['system_prompt'] ?? leadingPrompt(row.messages);
      const prompt = typeof said === 'string' && said !== '' ? said : undefined;
      systemPrompt ??= prompt;
      prompts.add(prompt);
    },
    end: () => ({
      tools: [...tools.values()],
      policy,
      systemPrompt: policy ?? systemPrompt,
      /** What is true of every row: a document's, or what all of them say. */
      sharedPrompt: policy ?? (prompts.end().isOne ? systemPrompt : undefined),
      hasSharedTools: hasOwnTools || lists.end().isOne,
      prompts: prompts.end(),
      lists: lists.end(),
    }),
  };
}

const maxValues = 2 ** 20;

function agreement() {
  const values = createKeySet(maxValues);
  let n = 0;
  let without = 0;
  return {
    add(value: string | undefined): void {
      if (value === undefined) without++;
      else if (values.add(value)) n++;
    },
    end: (): Agreement => ({ n, without, isOne: n === 1 && without === 0 }),
  };
}
