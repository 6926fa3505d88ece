import type { SetShape } from '../sinks/open-set.ts';
import { readRunMeta } from '../sources/run-meta.ts';
import { readInput, readTools } from './read-inputs.ts';

/** The system prompt and the tools of a set: those of flags, else those of the run that made the first file. */
export async function settingsOf(
  paths: readonly string[],
  { tools, policy }: { readonly tools?: string | undefined; readonly policy?: string | undefined },
): Promise<Pick<SetShape, 'systemPrompt' | 'tools'>> {
  const run = await readRunMeta(paths[0] ?? '');
  const list = tools === undefined ? run?.tools : await readTools(tools);
  const systemPrompt = policy === undefined ? run?.system_prompt : await readInput(policy, '--policy');
  return { systemPrompt: systemPrompt ?? undefined, tools: list?.map((tool) => ({ ...tool })) };
}
