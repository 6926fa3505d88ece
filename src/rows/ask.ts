import { z } from 'zod';

const object = z.record(z.string(), z.unknown());
const label = z.string().nullish();

/** What the world does to the calls of one tool: fail in a named way, always or at a rate. */
export const faultSchema = z.looseObject({
  /** `timeout`, `malformed`, `stale`, `permission_denied`, or one that the world was given. Absent: `timeout`. */
  mode: z.string().optional(),
  /** Share of calls that fail, 0 to 1. Absent: all. */
  rate: z.number().optional(),
  /** After this many failed calls of a tool it answers. Absent: it never recovers. */
  recover_after: z.int().min(1).optional(),
});

/** The fault of each tool by name; `*` for every tool without its own. */
export const faultPlanSchema = z.record(z.string(), faultSchema);
export type Fault = Readonly<z.output<typeof faultSchema>>;
export type FaultPlan = Readonly<Record<string, Fault>>;

/** The words a drawn ask carries about its person and its wording; a row keeps them under the same names. */
export const askLabels = [
  'tier',
  'ask_family',
  'intent_known',
  'tool_known',
  'stance',
  'tone',
  'length',
  'ask',
  'vagueness',
  'phrasing',
  'pressure',
  'user',
  'texture',
  'history',
] as const;

/**
 * A situation as a person types it, to be played once. It is a row that was not played yet: every field that a row also
 * has carries the row's name and travels onto it unchanged, unknown fields too. One ask is one rollout: `k` repeats are
 * `k` asks that differ in `rollout_index`.
 */
export const askSchema = z.looseObject({
  /** Identity of the wording: scenario, text and seed; the same for all repeats. */
  ask_id: z.string(),
  scenario_id: z.string(),
  /** The person's first words. */
  prompt: z.string(),
  /** What the person says next, word for word, one a turn, before any simulated turn. */
  user_turns: z.array(z.string()).optional(),
  /** What the agent said before the person spoke, when the agent opens. */
  opener: z.string().nullish(),
  /** `agent` when the agent opens the conversation. */
  opening: z.string().nullish(),
  /** Seed of the run: the world, the simulated user and the agent draw from it. */
  seed: z.int(),
  /** Which repeat this is, from 0. */
  rollout_index: z.int().min(0),

  /** The cell of the grid: tool, rule, stance, world_state, tool_condition, history. Absent for an ask without a cell. */
  scenario_dimensions: object.nullish(),
  world_state: label,
  faults: faultPlanSchema.nullish(),
  /** The answer key. It is read by world and judge and leaves through no sink. */
  privileged: object.optional(),

  /** Which kind of search made it: structured, llm_guided, open_ended ... */
  arm: z.string(),
  selection_reason: label,
  writer_model: z.string(),
  tier: label,
  ask_family: label,
  intent_known: z.boolean().nullish(),
  tool_known: z.boolean().nullish(),
  stance: label,
  tone: label,
  length: label,
  ask: label,
  vagueness: label,
  phrasing: label,
  pressure: label,
  user: label,
  texture: label,
  history: label,
  parent_failure_id: label,
  semantic_cluster: z.union([z.string(), z.number()]).nullish(),
  semantic_novelty: z.number().nullish(),
  steering: object.nullish(),
  /** `eval_run` when a task set is played more than once, `replayed` when it was pinned. */
  lineage: object.nullish(),
});

export type Ask = Readonly<z.output<typeof askSchema>>;
