import type { Feature } from './columns.ts';
import type { Graded } from './graded.ts';
import type { Ready } from './within.ts';

/** A feature with its correlation under some rewards. */
export interface Scored {
  readonly ready: Ready;
  readonly rho: number;
}

interface Search {
  readonly graded: Graded;
  readonly seeds: number;
  readonly minObs: number;
}

/** Two features at once, under some rewards. Its column is made only when it is reported. */
export interface Joint {
  readonly parents: readonly [Feature, Feature];
  readonly observed: number;
  readonly spread: number;
  readonly rho: number;
}

/**
 * Join the binary features that correlate most, two by two, under the given rewards, and keep the joint ones that hold
 * enough rows, are narrower than both parents and correlate more than both. The floor repeats this choice inside every
 * shuffle: chosen on the real rewards only, joint features of pure noise would pass it.
 */
export function conjunctions(scored: readonly Scored[], centred: Float64Array, search: Search): readonly Joint[] {
  const top = scored
    .filter(({ ready: { feature } }) => feature.isBinary && feature.parents === undefined)
    .sort((a, b) => Math.abs(b.rho) - Math.abs(a.rho) || (a.ready.feature.name < b.ready.feature.name ? -1 : 1))
    .slice(0, search.seeds);
  return top.flatMap((a, n) =>
    top.slice(n + 1).flatMap((b) => {
      const joint = join(a.ready.feature, b.ready.feature, centred, search);
      return joint && Math.abs(joint.rho) > Math.max(Math.abs(a.rho), Math.abs(b.rho)) ? [joint] : [];
    }),
  );
}

/** Measure two binary features at once, in one pass and without making their column. */
function join(a: Feature, b: Feature, centred: Float64Array, { graded, minObs }: Search): Joint | undefined {
  const [x, y, { starts }] = [a.values, b.values, graded];
  let [observed, dot, within] = [0, 0, 0];
  for (let g = 0; g + 1 < starts.length; g++) {
    const [from, to] = [starts[g] as number, starts[g + 1] as number];
    let both = 0;
    for (let at = from; at < to; at++) {
      if (x[at] === 0 || y[at] === 0) continue;
      both++;
      dot += centred[at] as number;
    }
    observed += both;
    within += both - (both * both) / (to - from);
  }
  if (observed < minObs || observed >= a.observed || observed >= b.observed || within < 1e-12) return undefined;
  const spread = Math.sqrt(within / centred.length);
  return { parents: [a, b], observed, spread, rho: dot / (centred.length * spread * graded.spread) };
}

/** Make the column of a joint feature, to be ranked and reported with the others. */
export function asFeature({ parents: [a, b], observed }: Joint): Feature {
  const values = a.values.map((value, at) => (value !== 0 && b.values[at] !== 0 ? 1 : 0)) as Uint8Array;
  const name = [a.name, b.name].sort().join(' & ');
  return { name, values, isBinary: true, observed, aliases: [], parents: [a, b] };
}
