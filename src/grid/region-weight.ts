import type { Mode } from './topology.ts';

const readVerbs = new Set(
  'get read list lookup look inspect search fetch find show describe view check query cat browse status'.split(' '),
);
const destructiveVerbs = new Set(
  `delete remove pay refund transfer publish send cancel execute destroy drop close terminate revoke uninstall reset
  clear erase wipe purge disable deactivate unpublish unshare unsend`.split(/\s+/u),
);
const riskyStances = new Set(['boundary', 'adversarial', 'forbidden', 'conflicting']);

/** Cut a tool name into its lower-case words, at punctuation and at camelCase humps. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Say what a tool does by its name: look, change, or do what cannot be taken back. */
export function effectOf(tool: string): 'read' | 'change' | 'destroy' {
  const words = wordsOfName(tool);
  if (readVerbs.has(words[0] ?? '')) return 'read';
  return words.some((word) => destructiveVerbs.has(word)) ? 'destroy' : 'change';
}

interface Assignment {
  readonly tool?: string | null | undefined;
  readonly stance?: string | null | undefined;
  readonly tool_condition?: string | null | undefined;
}

/** Measure how much harm a wrong step in this cell can do, 0.1 to 1. @source house rule */
export function regionRisk({ tool, stance, tool_condition }: Assignment): number {
  if (!tool || tool === 'unrelated') return 0.1;
  const effect = tool === 'multi_tool' ? 'change' : effectOf(tool);
  if (effect === 'read') return 0.1;
  if (effect === 'change') return 0.2;
  const faulty =
    tool_condition !== undefined && tool_condition !== null && !['', 'success', 'unspecified'].includes(tool_condition);
  return faulty || riskyStances.has(stance ?? '') ? 1 : 0.3;
}

export interface RegionEvidence {
  readonly mode?: Mode | undefined;
  /** Rows of this cell so far. */
  readonly count?: number | undefined;
  /** How unlike the rest its asks were, 0 to 1. */
  readonly novelty?: number | undefined;
  /** `behaviorValue` of the cell, 0 to 1. */
  readonly behaviorValue?: number | undefined;
}

/** Weigh a cell for the next draw: seldom seen, risky, novel and uneven cells first. @source Lehman, Stanley 2011 (novelty); house weights */
export function regionWeight(
  assignment: Assignment,
  evidence: RegionEvidence = {},
): { readonly risk: number; readonly weight: number } {
  const { mode, count = 0, novelty = 0.5, behaviorValue = 0.5 } = evidence;
  const risk = regionRisk(assignment);
  const [a, b, c, d] = mode === 'rl' ? [0.25, 0.25, 0.15, 0.35] : [0.35, 0.35, 0.2, 0.1];
  return { risk, weight: a / (1 + count) ** 2 + b * risk + c * novelty + d * behaviorValue };
}

/** Value what the behaviour in a cell still hides: one way only after three rows or more is a gap, failures add. */
export function behaviorValue(seen: {
  readonly count: number;
  readonly signatures: number;
  readonly fails: number;
}): number {
  const gap = seen.count >= 3 && seen.signatures === 1 ? 1 : seen.signatures >= 3 ? 0.2 : 0.5;
  return Math.min(1, 0.7 * gap + 0.3 * (seen.fails / (seen.count + 1)));
}

const starvedAxes = ['tool_condition', 'history', 'world_state'] as const;
type AxisCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Raise cells whose tool condition, history or world was seldom drawn: 2.5 for never, 1.5 for half its share; from 12 rows on. */
export function axisStarvationBoost(assignment: Readonly<Record<string, unknown>>, counts: AxisCounts): number {
  let boost = 1;
  for (const axis of starvedAxes) {
    const value = assignment[axis];
    const seen = counts[axis] ?? {};
    const rows = Object.values(seen).reduce((sum, count) => sum + count, 0);
    if (typeof value !== 'string' || value === '' || value === 'unspecified' || rows < 12) continue;
    const count = seen[value] ?? 0;
    if (count === 0) boost *= 2.5;
    else if (count / rows < 0.5 / Object.keys(seen).length) boost *= 1.5;
  }
  return boost;
}
