import { roundHalfEven } from './round-half-even.ts';

export const tiers = ['ordinary', 'ambiguous', 'boundary', 'adversarial'] as const;
export type Tier = (typeof tiers)[number];

const tierOfStance: Readonly<Record<string, Tier>> = {
  ambiguous: 'ambiguous',
  unsure: 'ambiguous',
  vague: 'ambiguous',
  underspecified: 'ambiguous',
  boundary: 'boundary',
  conflicting: 'boundary',
  'policy-push': 'boundary',
  adversarial: 'adversarial',
  malicious: 'adversarial',
  forbidden: 'adversarial',
};

/** Say how hard a stance makes a situation; what is not known to be hard is ordinary. */
export function behaviorTier(stance: string | null | undefined): Tier {
  return (Object.hasOwn(tierOfStance, stance ?? '') && tierOfStance[stance ?? '']) || 'ordinary';
}

/**
 * Take up to `n` items so that about `hardShare` of them are hard and every tier shows early; within a tier in the
 * order given. Linear in the items.
 *
 * @source house rule (difficulty mix: rlhfbook ch. 7)
 */
export function mixItemsByTier<Item extends { readonly tier?: string | null | undefined }>(
  items: readonly Item[],
  n: number,
  { hardShare = 0.4 }: { readonly hardShare?: number | undefined } = {},
): readonly Item[] {
  const pools = new Pools(items, n);
  pools.take('ordinary');
  if (n >= 2) hard('adversarial', 'boundary', 'ambiguous').some((tier) => pools.take(tier));
  if (n >= 8) for (const tier of hard('ambiguous', 'boundary', 'adversarial')) if (!pools.has(tier)) pools.take(tier);
  while (pools.count('ordinary') < n - roundHalfEven(n * hardShare) && pools.take('ordinary'));
  while (hard('ambiguous', 'boundary', 'adversarial').filter((tier) => pools.take(tier)).length > 0);
  for (const tier of tiers) while (pools.take(tier));
  return pools.taken;
}

const hard = (...order: readonly Tier[]): readonly Tier[] => order;

/** Items waiting by tier, and those taken so far. */
class Pools<Item extends { readonly tier?: string | null | undefined }> {
  readonly taken: Item[] = [];
  readonly #limit: number;
  readonly #waiting = new Map<Tier, Item[]>(tiers.map((tier) => [tier, []]));
  readonly #counts = new Map<Tier, number>();

  constructor(items: readonly Item[], limit: number) {
    this.#limit = limit;
    for (const item of items) this.#waiting.get(knownTier(item.tier))?.push(item);
    for (const pool of this.#waiting.values()) pool.reverse(); // taken from the end
  }

  has(tier: Tier): boolean {
    return this.count(tier) > 0;
  }

  count(tier: Tier): number {
    return this.#counts.get(tier) ?? 0;
  }

  /** Move the next item of a tier; false when there is none, or no room. */
  take(tier: Tier): boolean {
    const item = this.taken.length < this.#limit ? this.#waiting.get(tier)?.pop() : undefined;
    if (item === undefined) return false;
    this.taken.push(item);
    this.#counts.set(tier, this.count(tier) + 1);
    return true;
  }
}

const knownTier = (tier: string | null | undefined): Tier => tiers.find((one) => one === tier) ?? 'ordinary';
