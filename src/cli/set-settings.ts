import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.ts';
import type { RunMeta } from '../rows/run-meta.ts';
import type { SetShape } from '../sinks/open-set.ts';
import { readRunMeta } from '../sources/run-meta.ts';
import { readInput, readTools } from './read-inputs.ts';

export const toolsFlag = z
  .string()
  .optional()
  .describe("Tool list (JSON or YAML) of rows that have none of their own; the run's by default.");
export const policyFlag = z
  .string()
  .optional()
  .describe("File with the system prompt of rows that have none of their own; the run's by default.");

type Tools = NonNullable<SetShape['runTools']>;
type Settings = Pick<SetShape, 'runPrompt' | 'runTools' | 'systemPrompts' | 'toolsByPrompt'>;

/**
 * The system prompt and the tools for rows that do not say their own: those of flags, else those of the runs that made the
 * files. What the files do not agree on goes only to rows that name their prompt by its hash.
 */
export async function settingsOf(
  paths: readonly string[],
  { tools, policy }: { readonly tools?: string | undefined; readonly policy?: string | undefined },
): Promise<Settings> {
  const runs: (RunMeta | undefined)[] = [];
  for (const path of paths) runs.push(await readRunMeta(path));
  const lists = runs.map(listOf);
  const given = {
    systemPrompt: policy === undefined ? undefined : await readInput(policy, '--policy'),
    tools: tools === undefined ? undefined : (await readTools(tools)).map((tool) => ({ ...tool })),
  };
  const systemPrompts = given.systemPrompt === undefined ? promptsOf(runs) : undefined;
  const toolsByPrompt = given.tools === undefined && !isOne(lists) ? toolsOf(runs) : undefined;
  return {
    runPrompt: given.systemPrompt ?? agreed(runs.map((run) => run?.system_prompt ?? undefined)),
    runTools: given.tools ?? agreed(lists),
    ...(systemPrompts && { systemPrompts }),
    ...(toolsByPrompt && { toolsByPrompt }),
  };
}

/** Tools that any row of a run had; undefined when its rows had lists of their own. */
const listOf = (run: RunMeta | undefined): Tools | undefined =>
  run?.tools_by_row ? undefined : run?.tools?.map((tool) => ({ ...tool }));

const isOne = (values: readonly unknown[]): boolean =>
  new Set(values.map((value) => canonicalJson(value ?? null))).size === 1;

const agreed = <T>(values: readonly (T | undefined)[]): T | undefined => (isOne(values) ? values[0] : undefined);

function promptsOf(runs: readonly (RunMeta | undefined)[]): Record<string, string> | undefined {
  const all = runs.flatMap((run) => Object.entries(run?.system_prompts ?? {}));
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

/** Tools of each prompt, where all runs of it have the same. */
function toolsOf(runs: readonly (RunMeta | undefined)[]): Record<string, Tools> | undefined {
  const found = new Map<string, (Tools | undefined)[]>();
  for (const run of runs)
    for (const hash of Object.keys(run?.system_prompts ?? {}))
      found.set(hash, [...(found.get(hash) ?? []), listOf(run)]);
  const same = [...found].flatMap(([hash, lists]) => {
    const list = agreed(lists);
    return list === undefined ? [] : [[hash, list] as const];
  });
  return same.length === 0 ? undefined : Object.fromEntries(same);
}
