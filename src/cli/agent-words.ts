import type { AgentCounts, SaidBy } from '../reports/export/agent-of-row.ts';

/** Tell how many samples have the prompt and the tools of their row, how many those of the run; nothing of other sets. */
export function agentWords({ system_prompt_from, tools_from }: Partial<AgentCounts>): readonly string[] {
  if (!system_prompt_from || !tools_from) return [];
  return [`System prompts: ${counted(system_prompt_from)}. Tools: ${counted(tools_from)}.`];
}

function counted({ row, run, none }: Readonly<Record<SaidBy, number>>): string {
  const parts = [
    ...(row > 0 ? [`${row} of the row itself`] : []),
    ...(run > 0 ? [`${run} of the run`] : []),
    ...(none > 0 ? [`${none} without`] : []),
  ];
  return parts.length === 0 ? 'no sample' : parts.join(', ');
}
