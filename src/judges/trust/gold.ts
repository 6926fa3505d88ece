import type { Row } from '../../rows/row.ts';

/** Who says what is right: people and programs measure a judge, another model does not. */
export const goldKinds = ['human', 'program', 'model'] as const;
export type GoldKind = (typeof goldKinds)[number] | 'unknown' | 'mixed';

/**
 * Name the kind of several labels together: `human` when all are, else the one other kind, else `mixed`; null of none. A
 * missing kind is `unknown`, `verifier` is another word for `program`.
 */
export function goldKindOf(kinds: readonly unknown[]): GoldKind | null {
  if (kinds.length === 0) return null;
  const others = new Set(kinds.map(kindOf).filter((kind) => kind !== 'human'));
  if (others.size === 0) return 'human';
  const [one = 'unknown'] = others;
  return others.size === 1 ? one : 'mixed';
}

/** One kind as it is meant. */
export function kindOf(kind: unknown): GoldKind {
  if (kind === 'verifier') return 'program';
  return goldKinds.find((known) => known === kind) ?? (kind === 'mixed' ? 'mixed' : 'unknown');
}

/** Whether labels of this kind may measure a judge. */
export const isTrusted = (kind: GoldKind | null): boolean => kind === 'human' || kind === 'program';

/** A label: the number 0 or 1, nothing else. */
export function exactLabel(value: unknown): 0 | 1 | undefined {
  return value === 1 ? 1 : value === 0 ? 0 : undefined; // -0 is 0
}

/** The gold of a row. */
export const goldOf = (row: Row): 0 | 1 | undefined => exactLabel(row['gold_reward']);
