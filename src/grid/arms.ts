import { TracemillError } from '../core/errors.ts';

/** The kinds of search an ask can come from, with their usual share of it and the share each always keeps. */
export const searchArms = {
  structured: { weight: 0.42, floor: 0.15 },
  llm_guided: { weight: 0.42, floor: 0.15 },
  open_ended: { weight: 0.1, floor: 0.05 },
  behavior_targeted: { weight: 0.03, floor: 0.01 },
  failure_mutation: { weight: 0.03, floor: 0.01 },
} as const;
export type SearchArm = keyof typeof searchArms;
export type ArmValues = Readonly<Partial<Record<SearchArm, number>>>;

const armNames = Object.keys(searchArms) as SearchArm[];
const rareArms: readonly SearchArm[] = ['behavior_targeted', 'failure_mutation'];
const broadArms: readonly SearchArm[] = ['structured', 'llm_guided'];
const rareCap = 0.08;
const openEnded = { least: 0.05, most: 0.1 };

/** The usual shares. */
export const defaultArmWeights = (): Record<SearchArm, number> => byArm((arm) => searchArms[arm].weight);

const byArm = (value: (arm: SearchArm) => number): Record<SearchArm, number> =>
  Object.fromEntries(armNames.map((arm) => [arm, value(arm)])) as Record<SearchArm, number>; // every arm is set

/** Give arms that had nothing to do the mean yield of the others. */
export function completeYields(yields: ArmValues): Record<SearchArm, number> {
  const seen = armNames.flatMap((arm) => yields[arm] ?? []);
  const mean = seen.length === 0 ? 0 : seen.reduce((sum, one) => sum + one, 0) / seen.length;
  return byArm((arm) => yields[arm] ?? mean);
}

/**
 * Move the shares of search towards what found something: each weight grows with half its yield, above its floor.
 *
 * @source novelty search (Lehman, Stanley 2011); house constants
 */
export function reallocateSearchArms(weights: ArmValues, yields: ArmValues): Record<SearchArm, number> {
  const found = completeYields(yields);
  const raw = byArm((arm) => (weights[arm] ?? searchArms[arm].weight) * (1 + 0.5 * Math.max(0, found[arm])));
  const total = sum(raw);
  const floors = armNames.reduce((all, arm) => all + searchArms[arm].floor, 0);
  const moved = byArm((arm) => searchArms[arm].floor + ((1 - floors) * raw[arm]) / total);
  return capRareArmWeight(capOpenEndedWeight(moved));
}

/** Hold the open-ended share in 0.05 to 0.10 and scale the rest to what is left. */
export function capOpenEndedWeight<Weights extends ArmValues>(weights: Weights): Weights {
  const open = weights.open_ended;
  if (open === undefined) return weights;
  const held = Math.min(openEnded.most, Math.max(openEnded.least, open));
  const rest = sum(weights) - open;
  const scaled = Object.entries(weights).map(([arm, weight]) => [
    arm,
    arm === 'open_ended' ? held : rest > 0 ? (weight * (1 - held)) / rest : 0,
  ]);
  return Object.fromEntries(scaled) as Weights; // the same arms
}

/** Cap each rare arm at 0.08; what is over goes to the two broad arms by their weight. */
export function capRareArmWeight<Weights extends ArmValues>(weights: Weights): Weights {
  const over = rareArms.reduce((all, arm) => all + Math.max(0, (weights[arm] ?? 0) - rareCap), 0);
  const broad = broadArms.reduce((all, arm) => all + (weights[arm] ?? 0), 0);
  const capped = Object.entries(weights).map(([arm, weight]) => {
    if ((rareArms as readonly string[]).includes(arm)) return [arm, Math.min(weight, rareCap)];
    return [arm, (broadArms as readonly string[]).includes(arm) && broad > 0 ? weight * (1 + over / broad) : weight];
  });
  return Object.fromEntries(capped) as Weights; // the same arms
}

const sum = (weights: ArmValues): number => Object.values(weights).reduce((all, weight) => all + weight, 0);

/**
 * Check shares that a caller pins, and bring them to a sum of 1.
 *
 * @throws TM_OPTIONS - none, an unknown arm, a negative share, or all of them 0
 */
export function checkArmWeights(weights: Readonly<Record<string, unknown>>): Record<SearchArm, number> {
  const refused = (message: string) => new TracemillError('TM_OPTIONS', `armWeights: ${message}`);
  const entries = Object.entries(weights);
  if (entries.length === 0) throw refused(`name at least one arm of ${armNames.join(', ')}`);
  for (const [arm, weight] of entries) {
    if (!Object.hasOwn(searchArms, arm)) throw refused(`${arm} is no arm; there are ${armNames.join(', ')}`);
    if (typeof weight !== 'number' || !Number.isFinite(weight) || weight < 0) throw refused(`${arm} must be 0 or more`);
  }
  const given = weights as ArmValues;
  const total = sum(given);
  if (total <= 0) throw refused('all shares are 0');
  return byArm((arm) => (given[arm] ?? 0) / total);
}
