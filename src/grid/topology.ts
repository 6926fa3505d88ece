import { TracemillError } from '../core/errors.ts';

/** What a run is for: to see much, to imitate, to train by reward, or to spend as the clock allows. */
export const modes = ['explore', 'sft', 'rl', 'adaptive'] as const;
export type Mode = (typeof modes)[number];
/** When a prompt is run more than once. */
export const repeatPolicies = ['none', 'adaptive', 'successive', 'fixed'] as const;
export type RepeatPolicy = (typeof repeatPolicies)[number];

/** How many wordings a situation has (n) and how often a wording is run (k), with all names they are known by. */
export interface TopologyOptions {
  readonly mode?: string | null | undefined;
  readonly repeatPolicy?: string | null | undefined;
  readonly unique?: boolean | null | undefined;
  readonly uniqueSituations?: boolean | null | undefined;
  readonly n?: number | null | undefined;
  readonly phrasings?: number | null | undefined;
  readonly requestsPerSituation?: number | null | undefined;
  readonly k?: number | null | undefined;
  readonly repeats?: number | null | undefined;
  readonly rolloutsPerRequest?: number | null | undefined;
  readonly rolloutsPerPrompt?: number | null | undefined;
}

export interface Topology {
  readonly mode: Mode;
  readonly repeat_policy: RepeatPolicy;
  /** Wordings of one situation, 1 or more. */
  readonly n_req: number;
  /** Rollouts of one wording, 1 or more. */
  readonly k: number;
  readonly k_explicit: boolean;
  readonly n_explicit: boolean;
  readonly unique_situations: boolean;
}

const presets: Readonly<Record<Mode, Pick<Topology, 'n_req' | 'k' | 'repeat_policy'>>> = {
  explore: { n_req: 1, k: 1, repeat_policy: 'none' },
  sft: { n_req: 3, k: 1, repeat_policy: 'adaptive' },
  rl: { n_req: 1, k: 8, repeat_policy: 'successive' },
  adaptive: { n_req: 1, k: 1, repeat_policy: 'adaptive' }, // 3 and 3 (or 2) come from the plan of the clock
};

/**
 * Settle mode, wordings and rollouts from what was asked for; an explicit count wins over the preset of its mode.
 *
 * @throws TM_OPTIONS - an unknown mode or repeat policy, or two names of one count that differ
 * @source rlhfbook ch. 6 and 7 (groups of rollouts), house presets
 */
export function resolveTopology(options: TopologyOptions): Topology {
  const policy = repeatPolicyOf(options.repeatPolicy);
  const mode = modeOf(options.mode, policy);
  const n = countOf('phrasings', [options.n, options.phrasings, options.requestsPerSituation]);
  const k = countOf('repeats', [options.k, options.repeats, options.rolloutsPerPrompt], options.rolloutsPerRequest);
  const unique = options.uniqueSituations === true || options.unique === true;
  const preset = presets[mode];
  const once = unique || policy === 'none';
  const repeatPolicy = mode === 'explore' && k === undefined ? 'none' : (policy ?? preset.repeat_policy);
  return {
    mode,
    repeat_policy: repeatPolicy,
    n_req: n ?? (once ? 1 : preset.n_req),
    k: k ?? (once ? 1 : preset.k),
    k_explicit: k !== undefined,
    n_explicit: n !== undefined,
    unique_situations: once || mode === 'explore' || repeatPolicy === 'none',
  };
}

function modeOf(given: string | null | undefined, policy: RepeatPolicy | undefined): Mode {
  if (given === undefined || given === null || given.trim() === '')
    return policy === 'adaptive' ? 'adaptive' : 'explore';
  const mode = modes.find((one) => one === given.trim().toLowerCase());
  if (mode) return mode;
  throw new TracemillError('TM_OPTIONS', `mode: ${given} is not one of ${modes.join(', ')}`);
}

function repeatPolicyOf(given: string | null | undefined): RepeatPolicy | undefined {
  if (given === undefined || given === null || given.trim() === '') return undefined;
  const word = given.trim().toLowerCase();
  const policy = repeatPolicies.find((one) => one === (word === 'unique' ? 'none' : word));
  if (policy) return policy;
  throw new TracemillError('TM_OPTIONS', `repeatPolicy: ${given} is not one of ${repeatPolicies.join(', ')}, unique`);
}

type Count = number | null | undefined;

/** `soft` is a name whose 1 is what everybody has: it yields to another name. */
function countOf(option: string, names: readonly Count[], soft?: Count): number | undefined {
  const given = names.filter((count) => count !== undefined && count !== null);
  if (soft !== undefined && soft !== null && !(soft === 1 && given.length > 0)) given.push(soft);
  const [first] = given;
  if (first === undefined) return undefined;
  const other = given.find((count) => count !== first);
  if (other !== undefined)
    throw new TracemillError('TM_OPTIONS', `${option}: two of its names ask for ${first} and for ${other}; give one`);
  return Math.max(1, Math.trunc(first));
}
