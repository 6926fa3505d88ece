/** Where a text stands among those before it. */
export interface SemanticPlace {
  /** The number of its group, from 0 in the order in which groups were found. */
  readonly cluster: number;
  /** 1 less the cosine to the nearest group before it: 0 is said already, 1 like nothing so far. The first has 1. */
  readonly novelty: number;
}

const nearEnough = 0.8; // cosine to the first text of a group, to be of it
const mostGroups = 512;

/**
 * Put embedded texts in groups, in one pass: a text joins the group whose first text is nearest, or opens one. Cost: texts
 * times groups, of which there are 512 at most, so it is linear in the texts.
 *
 * @source leader clustering (Hartigan 1975); novelty search (Lehman, Stanley 2011)
 */
export function semanticPlaces(vectors: readonly (readonly number[])[]): readonly SemanticPlace[] {
  const leaders: Float64Array[] = [];
  return vectors.map((vector) => {
    const one = unit(vector);
    let [cluster, best] = [-1, 0];
    for (const [at, leader] of leaders.entries()) {
      const alike = product(leader, one);
      if (cluster < 0 || alike > best) [cluster, best] = [at, alike];
    }
    const novelty = leaders.length === 0 ? 1 : rounded(Math.min(1, Math.max(0, 1 - best)));
    if (cluster < 0 || (best < nearEnough && leaders.length < mostGroups)) cluster = leaders.push(one) - 1;
    return { cluster, novelty };
  });
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

function unit(vector: readonly number[]): Float64Array {
  const length = Math.hypot(...vector) || 1;
  return Float64Array.from(vector, (value) => value / length);
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += (a[n] ?? 0) * (b[n] ?? 0);
  return sum;
}
