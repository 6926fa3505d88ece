import { z } from 'zod';
import { TracemillError } from '../core/errors.ts';
import type { JsonObject } from '../core/json-object.ts';
import { parseOptions } from '../core/operator.ts';
import type { FaultPlan } from '../rows/ask.ts';
import { type Tool, toolsFrom } from '../rows/tool.ts';
import { type Family, familyOf } from './family.ts';
import { type FaultModes, usualModes } from './faults.ts';
import { propertiesOf, resolve, schemaOf } from './json-schema.ts';
import { nounOf, type Verb, verbOf } from './names.ts';
import { phrasesOf } from './placeholder.ts';
import { usualStatuses } from './record.ts';
import { type WorldState, worldStateOf } from './state.ts';

const anything = z.record(z.string(), z.unknown());

export const worldOptions = z.strictObject({
  seed: z.int().default(0).describe('Seed of the run: the same seed and calls give the same answers.'),
  faults: anything
    .nullish()
    .describe('Which calls fail: `{tool or "*": {mode, rate, recover_after}}`. Other entries are labels.'),
  worldState: z.string().nullish().describe('World state label of the cell: `entity exists`, `entity missing` ...'),
  resultShapes: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('An example result for a tool: keys stay, values move. Comes from traces or from the writer.'),
  faultModes: z
    .record(z.string(), anything)
    .default({})
    .describe('Further fault modes, by name: what a call answers, `{status: "rate_limited"}`.'),
  existsShare: z.number().min(0).max(1).default(0.7).describe('Share of ids named by a user that exist.'),
  maxHits: z.int().min(1).max(50).default(6).describe('Most records a search finds.'),
});
export type WorldOptions = z.input<typeof worldOptions>;

/** What the world reads off a tool once. */
export interface Prepared {
  readonly tool: Tool;
  readonly verb: Verb;
  readonly noun: string;
  readonly family: Family;
  /** What an echo of its parameters' names looks like. */
  readonly phrases: ReadonlySet<string>;
  /** Every value that some parameter lists: never a placeholder. */
  readonly enums: ReadonlySet<string>;
}

/** Tools as the worlds of a run share them. */
export interface Toolbox {
  readonly tools: ReadonlyMap<string, Prepared>;
  /** The words that the tools have for a status, else usual ones. */
  readonly statuses: readonly string[];
}

/** Everything a call depends on besides the memory. */
export interface Setup extends Toolbox {
  readonly seed: number;
  readonly faults: FaultPlan;
  readonly modes: FaultModes;
  readonly worldState: WorldState;
  readonly resultShapes: JsonObject;
  readonly existsShare: number;
  readonly maxHits: number;
}

/** Read the tools once for all worlds of a run. */
export function toolboxOf(tools: unknown): Toolbox {
  const prepared = toolsFrom(tools).map(prepare);
  const statuses = [...new Set(prepared.flatMap(({ tool }) => listed(tool, 'status')))];
  return {
    tools: new Map(prepared.map((one) => [one.tool.name, one])),
    statuses: statuses.length > 0 ? statuses : usualStatuses,
  };
}

/** What a rollout says of its own world. */
export interface RolloutWorld {
  readonly seed: number;
  readonly faults: JsonObject | null;
  readonly worldState: string | null;
}

/** Give the setup of one rollout: that of the run, with the rollout's own seed, faults and state. */
export const setupFor = (run: Setup, { seed, faults, worldState }: RolloutWorld): Setup => ({
  ...run,
  seed,
  faults: (faults ?? {}) as FaultPlan, // entries that are no faults are skipped where they are read
  worldState: worldStateOf(worldState),
});

/** @throws TM_OPTIONS - an option is unknown or out of range */
export function setupOf(toolbox: Toolbox, options: WorldOptions): Setup {
  const { faults, worldState, faultModes, ...rest } = parseOptions('world', worldOptions, options);
  for (const [mode, answer] of Object.entries(faultModes))
    if (Object.keys(answer).length === 0)
      throw new TracemillError('TM_OPTIONS', `world: fault mode ${mode} answers nothing; give it a status`);
  return {
    ...toolbox,
    ...rest,
    faults: (faults ?? {}) as FaultPlan, // entries that are no faults are skipped where they are read
    modes: { ...usualModes, ...faultModes },
    worldState: worldStateOf(worldState),
  };
}

function prepare(tool: Tool): Prepared {
  const names = [...propertiesOf(resolve(schemaOf(tool.parameters))).keys()];
  return {
    tool,
    verb: verbOf(tool.name),
    noun: nounOf(tool.name),
    family: familyOf(tool),
    phrases: phrasesOf(names),
    enums: new Set(names.flatMap((name) => listed(tool, name))),
  };
}

/** The texts that the enum of one parameter allows. */
function listed({ parameters }: Tool, name: string): readonly string[] {
  const { enum: values } = propertiesOf(resolve(schemaOf(parameters))).get(name)?.at ?? {};
  return Array.isArray(values) ? values.filter((one) => typeof one === 'string' && one !== '') : [];
}
