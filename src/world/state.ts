import type { Standing } from './record.ts';

/** What a world state label makes the world do. */
export type WorldState = 'exists' | 'missing' | 'acted_on' | 'duplicate' | 'partial' | 'open';

const labels: Readonly<Record<string, WorldState>> = {
  'entity exists': 'exists',
  exists: 'exists',
  'entity missing': 'missing',
  missing: 'missing',
  'entity already acted on': 'acted_on',
  already_done: 'acted_on',
  'duplicate entity': 'duplicate',
  duplicate: 'duplicate',
  'partially completed': 'partial',
  partial: 'partial',
};

/** Read the label of a row. Unknown, unspecified and any other word leave the world open: hashes decide what exists. */
export const worldStateOf = (label: string | null | undefined): WorldState =>
  labels[(label ?? '').trim().toLowerCase()] ?? 'open';

/** How far along things are in a world state. */
export function standingOf(state: WorldState): Standing {
  if (state === 'acted_on') return 'final';
  return state === 'partial' ? 'between' : 'free';
}
