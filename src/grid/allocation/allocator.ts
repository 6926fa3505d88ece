/** What a landed and judged rollout says: 0 or 1, or its behaviour signature while nobody judges. */
export type Label = number | string;
export type GroupState = 'probing' | 'mixed' | 'stopped_unanimous' | 'complete';
export type GroupVerdict = 'mixed' | 'stopped_unanimous' | 'complete' | 'partial';

/** One prompt and its rollouts. */
export interface Group {
  readonly labels: Label[];
  /** Rollouts that were asked for. */
  scheduled: number;
  /** Rollouts that ended without a label: cut short, or not judged. */
  unlabelled: number;
  state: GroupState;
}

/** What is known of the whole run: groups probed and mixed, and how often unanimous groups of n split next. */
export interface AllocatorMemory {
  probed: number;
  mixed: number;
  readonly seen: Map<number, number>;
  readonly split: Map<number, number>;
}

export interface AllocatorSettings {
  /** Rollouts that fill a group, 1 or more. */
  readonly k: number;
  /** Rollouts a group opens with; cut to 1..k. */
  readonly probe: number;
}

/** What a landed rollout leads to. */
export interface Decision {
  /** Rollouts of this prompt to queue now. */
  readonly queueMore: number;
  readonly state: GroupState;
}

export const emptyMemory = (): AllocatorMemory => ({ probed: 0, mixed: 0, seen: new Map(), split: new Map() });
export const probeOf = ({ k, probe }: AllocatorSettings): number => Math.max(1, Math.min(k, probe));

/**
 * Label a rollout for the allocator. Once a grader runs, what it left unjudged has no label: a broken judge never
 * makes a group look mixed.
 *
 * @source rlhfbook ch. 6 (only groups that split carry a gradient); DAPO, arXiv 2503.14476
 */
export function labelOf(
  row: { readonly reward?: number | null | undefined; readonly behavior_signature?: unknown },
  graded: boolean,
): Label | undefined {
  const { reward } = row;
  if (typeof reward === 'number' && Number.isFinite(reward)) return reward >= 0.5 ? 1 : 0;
  return !graded && typeof row.behavior_signature === 'string' ? row.behavior_signature : undefined;
}

/** Chance that a unanimous group of n splits at the next rollout, as far as this run has seen. */
export function hazardOf(memory: Pick<AllocatorMemory, 'seen' | 'split'>, n: number): number {
  return ((memory.split.get(n) ?? 0) + 1 / (n + 2)) / ((memory.seen.get(n) ?? 0) + 1);
}

/** Chance per rollout that a fresh prompt turns out mixed. */
export function freshRate(
  { probed, mixed }: Pick<AllocatorMemory, 'probed' | 'mixed'>,
  settings: AllocatorSettings,
): number {
  return (mixed + 1) / (probed + 2) / probeOf(settings);
}

/**
 * Decide what a landed rollout leads to: wait, fill a group that split to k at once, one more look at a unanimous one,
 * or stop it because a fresh prompt is the better bet. Changes the group and the memory.
 *
 * @source DAPO dynamic sampling, arXiv 2503.14476; GRESO, arXiv 2506.02177; house rule for the hazard
 */
export function onRolloutLanded(
  group: Group,
  label: Label | undefined,
  memory: AllocatorMemory,
  settings: AllocatorSettings,
  freshAvailable: boolean,
): Decision {
  const { k } = settings;
  const probe = probeOf(settings);
  const before = group.labels.length;
  const wasUnanimous = new Set(group.labels).size === 1;
  if (label === undefined) group.unlabelled++;
  else group.labels.push(label);
  const splits = new Set(group.labels).size > 1;
  if (label !== undefined && wasUnanimous && before >= probe) {
    count(memory.seen, before);
    if (splits) count(memory.split, before);
  }
  const done = group.labels.length + group.unlabelled;
  if (done === probe) memory.probed++;
  if (splits) return fillMixed(group, memory, k);
  if (group.scheduled >= k) {
    if (done >= k) group.state = 'complete';
    return { queueMore: 0, state: group.state };
  }
  if (done < group.scheduled) return { queueMore: 0, state: group.state };
  if (freshAvailable && hazardOf(memory, done) <= freshRate(memory, settings)) {
    group.state = 'stopped_unanimous';
    return { queueMore: 0, state: group.state };
  }
  group.scheduled++;
  group.state = 'probing';
  return { queueMore: 1, state: group.state };
}

function fillMixed(group: Group, memory: AllocatorMemory, k: number): Decision {
  if (group.state !== 'mixed') memory.mixed++;
  group.state = 'mixed';
  const queueMore = Math.max(0, k - group.scheduled);
  group.scheduled += queueMore;
  return { queueMore, state: group.state };
}

const count = (counts: Map<number, number>, n: number): void => void counts.set(n, (counts.get(n) ?? 0) + 1);
