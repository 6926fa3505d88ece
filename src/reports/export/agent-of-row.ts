import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { contentText } from '../../rows/content-text.ts';

const toolList = z.array(z.record(z.string(), z.unknown()));

/** What is said of the agent: to every row, or by a run to rows that do not say it themselves. */
export const agentOptions = z.strictObject({
  systemPrompt: z.string().default('').describe("System prompt of every sample, in place of its row's own."),
  tools: toolList.optional().describe("Tool schemas of every sample, in place of its row's own."),
  runPrompt: z
    .string()
    .default('')
    .describe("The run's system prompt, where a row neither has one of its own nor names one."),
  runTools: toolList.optional().describe("The run's tool schemas, on every sample whose row has none of its own."),
  systemPrompts: z
    .record(z.string(), z.string())
    .optional()
    .describe('System prompts of several runs, by the hash that rows name in `lineage.system_prompt_sha`.'),
  toolsByPrompt: z
    .record(z.string(), toolList)
    .optional()
    .describe('Tool schemas of several runs, by the hash of their system prompt.'),
});

/** Who says something of the agent: the row, the run that it is of, or nobody. */
export type SaidBy = 'row' | 'run' | 'none';

/** Samples of a set by who says what their agent was told and could call. */
export interface AgentCounts {
  readonly system_prompt_from: Readonly<Record<SaidBy, number>>;
  readonly tools_from: Readonly<Record<SaidBy, number>>;
}

/** Count who says what the agents of samples were told and could call. */
export function agentTally() {
  const system_prompt_from = { row: 0, run: 0, none: 0 };
  const tools_from = { row: 0, run: 0, none: 0 };
  return {
    add({ system_prompt, tools }: RowAgent['said'], samples = 1): void {
      system_prompt_from[system_prompt] += samples;
      tools_from[tools] += samples;
    },
    end: (): AgentCounts => ({ system_prompt_from: { ...system_prompt_from }, tools_from: { ...tools_from } }),
  };
}

/** What the agent of a row was told and could call. */
export interface RowAgent {
  /** What is to stand before the messages; empty when they begin with it, or when nobody says it. */
  readonly systemPrompt: string;
  /** It stands in place of what the messages say of the kind. */
  readonly isGiven: boolean;
  readonly tools: readonly unknown[] | undefined;
  readonly said: { readonly system_prompt: SaidBy; readonly tools: SaidBy };
}

/**
 * Find what the agent of a row was told and could call. What is given for all wins; then what the row says itself, as rows of
 * several agents are in one file. A row that names a prompt by its hash takes that one, and none when no run of these has it.
 *
 * @source house rule
 */
export function agentOfRow(
  row: JsonObject,
  messages: readonly unknown[],
  options: z.output<typeof agentOptions>,
): RowAgent {
  const prompt = promptOf(row, messages, options);
  const tools = toolsOf(row, options);
  return {
    systemPrompt: prompt.text,
    isGiven: options.systemPrompt !== '',
    tools: tools.list,
    said: { system_prompt: prompt.by, tools: tools.by },
  };
}

function promptOf(
  row: JsonObject,
  messages: readonly unknown[],
  { systemPrompt, runPrompt, systemPrompts }: z.output<typeof agentOptions>,
): { readonly text: string; readonly by: SaidBy } {
  if (systemPrompt !== '') return { text: systemPrompt, by: 'run' };
  if (leadingPrompt(messages) !== '') return { text: '', by: 'row' };
  const { system_prompt: own } = row;
  if (typeof own === 'string' && own.trim() !== '') return { text: own, by: 'row' };
  const text = named(row, systemPrompts, runPrompt);
  return text === undefined || text === '' ? { text: '', by: 'none' } : { text, by: 'run' };
}

function toolsOf(
  row: JsonObject,
  { tools, runTools, toolsByPrompt }: z.output<typeof agentOptions>,
): { readonly list: readonly unknown[] | undefined; readonly by: SaidBy } {
  if (tools !== undefined) return { list: tools.length > 0 ? tools : undefined, by: tools.length > 0 ? 'run' : 'none' };
  const { tools: own } = row;
  if (Array.isArray(own) && own.length > 0) return { list: own, by: 'row' };
  const list = named(row, toolsByPrompt, runTools);
  return list === undefined || list.length === 0 ? { list: undefined, by: 'none' } : { list, by: 'run' };
}

/** What a row names by the hash of its prompt; what all rows share, where it names none or nothing is kept by hash. */
function named<T>({ lineage }: JsonObject, byHash: Readonly<Record<string, T>> | undefined, shared: T): T | undefined {
  const hash = isObject(lineage) ? lineage['system_prompt_sha'] : undefined;
  if (typeof hash !== 'string' || byHash === undefined) return shared;
  return Object.hasOwn(byHash, hash) ? byHash[hash] : undefined;
}

/** The system prompt that messages begin with; empty when they begin with another turn. */
export function leadingPrompt(messages: unknown): string {
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  if (!isObject(first) || (first['role'] !== 'system' && first['role'] !== 'developer')) return '';
  return contentText(first['content']).trim();
}
