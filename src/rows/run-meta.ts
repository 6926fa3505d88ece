import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

/** What a run's rows do not say themselves and a later command needs: it lies beside the file of rows, as one JSON object. */
export const runMetaSchema = z.looseObject({
  schema_version: z.literal('1'),
  system_prompt: z.string().nullish(),
  /** Every system prompt of the rows by the first 16 hex digits of its sha256. */
  system_prompts: z.record(z.string(), z.string()).optional(),
  tools: z.array(object).nullish(),
  /** The tools are those of several agents: no row had all of them, and none goes to a row that has no list of its own. */
  tools_by_row: z.boolean().optional(),
  /** What made the file, last command first: the command, its settings, what it read. */
  made_by: z.array(z.looseObject({ command: z.string() })).optional(),
  stopped_because: z.string().nullish(),
  warnings: z.array(z.string()).optional(),
  degraded: z.array(z.string()).optional(),
});

export type RunMeta = Readonly<z.output<typeof runMetaSchema>>;

/** Where the settings of a file of rows lie: `run.jsonl` has `run.meta.json` beside it. */
export const metaPath = (rowsPath: string): string => `${rowsPath.replace(/\.jsonl(\.gz)?$/, '')}.meta.json`;

/** The settings of the next file, made of the last one by a command. */
export function nextMeta(
  from: RunMeta | undefined,
  command: string,
  settings: Readonly<Record<string, unknown>>,
): RunMeta {
  return { ...from, schema_version: '1', made_by: [{ command, ...settings }, ...(from?.made_by ?? [])] };
}
