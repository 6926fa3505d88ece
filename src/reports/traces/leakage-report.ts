import { z } from 'zod';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { parseOptions } from '../../core/operator.ts';
import { foldText } from '../../text/fold.ts';
import { hashEmbed } from '../../text/hash-embed.ts';

/** Options of `leakageReport` and `dropLeakyRows`. */
const options = z.strictObject({
  threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.9)
    .describe('Cosine of two asks from which one is a copy of the other.'),
  embedder: z.literal('hash').default('hash').describe('How asks are compared: hashed words and word pairs.'),
});

/** A generated ask that is too close to a source. */
export interface Leak {
  readonly row: number;
  /** The most similar source; of several as similar, the first. */
  readonly source: number;
  /** Four decimals. */
  readonly similarity: number;
}

/** How close generated asks are to the asks they were aimed by. */
export interface LeakageReport {
  readonly n: number;
  readonly n_sources: number;
  readonly threshold: number;
  readonly n_leaky: number;
  /** Four decimals. */
  readonly max_similarity: number;
  /** The first 20. */
  readonly leaky: readonly Leak[];
}

const shown = 20;
/** Sums of the same weights in another order differ by this at most: as similar is not more similar. */
const noise = 1e-9;
type Config = z.input<typeof options>;

/**
 * Compare generated asks with the source asks that aimed them: a cosine at or above the threshold flags a row, and equal
 * text, case and white space folded, always does. Rows, texts, one row, or lists of rows; asks without text are compared
 * with nothing. Digits do not count: `order 3` and `order 4` are alike, of two sources as similar the first is named. Cost: each generated ask visits the sources it shares a hashed word with, equal asks once.
 *
 * @source house rule
 */
export function leakageReport(generated: unknown, sources: unknown, config: Config = {}): LeakageReport {
  const { threshold } = parseOptions('leakageReport', options, config);
  return reportOf(leaksIn(generated, sources, threshold), threshold);
}

/** What is left when leaky rows are dropped. */
export interface KeptRows<Row> {
  readonly kept: readonly Row[];
  readonly report: LeakageReport & { readonly n_dropped: number };
}

/** Drop the generated rows that `leakageReport` flags. */
export function dropLeakyRows<Row>(rows: readonly Row[], sources: unknown, config: Config = {}): KeptRows<Row> {
  const { threshold } = parseOptions('dropLeakyRows', options, config);
  const found = leaksIn(rows, sources, threshold);
  const leaky = new Set(found.leaks.map(({ row }) => row));
  return {
    kept: rows.filter((_row, at) => !leaky.has(at)),
    report: { ...reportOf(found, threshold), n_dropped: leaky.size },
  };
}

interface Found {
  readonly n: number;
  readonly nSources: number;
  readonly max: number;
  readonly leaks: readonly Leak[];
}

function leaksIn(generated: unknown, sources: unknown, threshold: number): Found {
  const asks = asksOf(generated);
  const index = indexOf(asksOf(sources));
  const known = new Map<string, Closest>();
  const leaks: Leak[] = [];
  let max = 0;
  for (const [row, ask] of asks.entries()) {
    const folded = foldText(ask);
    if (folded === '') continue;
    const closest = known.get(folded) ?? closestTo(folded, index);
    known.set(folded, closest);
    max = Math.max(max, closest.similarity);
    if (closest.isEqual || (closest.source >= 0 && closest.similarity >= threshold))
      leaks.push({ row, source: closest.source, similarity: rounded(closest.similarity) });
  }
  return { n: asks.length, nSources: index.n, max, leaks };
}

const rounded = (similarity: number): number => Number(similarity.toFixed(4));

const reportOf = ({ n, nSources, max, leaks }: Found, threshold: number): LeakageReport => ({
  n,
  n_sources: nSources,
  threshold,
  n_leaky: leaks.length,
  max_similarity: rounded(max),
  leaky: leaks.slice(0, shown),
});

/** Sources by hashed word: for each of the 256 places, the sources that have it and how much of it. */
interface Index {
  readonly n: number;
  readonly exact: ReadonlyMap<string, number>;
  readonly postings: readonly Posting[];
  /** For each source, in turn for each ask: its cosine so far. */
  readonly sums: Float64Array;
}

interface Posting {
  readonly sources: number[];
  readonly weights: number[];
}

function indexOf(sources: readonly string[]): Index {
  const exact = new Map<string, number>();
  const postings = Array.from({ length: 256 }, (): Posting => ({ sources: [], weights: [] }));
  let n = 0;
  for (const [source, text] of sources.entries()) {
    const folded = foldText(text);
    if (folded === '') continue;
    n++;
    if (exact.has(folded)) continue; // an equal source is as close as the first
    exact.set(folded, source);
    const vector = hashEmbed(folded);
    for (const [place, { sources, weights }] of postings.entries()) {
      const weight = vector[place] as number;
      if (weight === 0) continue;
      sources.push(source);
      weights.push(weight);
    }
  }
  return { n, exact, postings, sums: new Float64Array(sources.length) };
}

interface Closest {
  readonly source: number;
  readonly similarity: number;
  readonly isEqual: boolean;
}

function closestTo(folded: string, { exact, postings, sums }: Index): Closest {
  const equal = exact.get(folded);
  if (equal !== undefined) return { source: equal, similarity: 1, isEqual: true };
  sums.fill(0);
  const vector = hashEmbed(folded);
  for (let place = 0; place < postings.length; place++) {
    const weight = vector[place] as number;
    if (weight === 0) continue;
    const { sources, weights } = postings[place] as Posting;
    for (let at = 0; at < sources.length; at++) {
      const source = sources[at] as number;
      sums[source] = (sums[source] as number) + weight * (weights[at] as number);
    }
  }
  let [source, similarity] = [-1, 0];
  for (let at = 0; at < sums.length; at++) {
    const sum = sums[at] as number;
    if (sum > similarity + noise) [source, similarity] = [at, sum];
  }
  return { source, similarity: Math.min(1, similarity), isEqual: false };
}

/** The asks of rows, texts, one row, or lists of them, in order. */
function asksOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(asksOf);
  if (typeof value === 'string') return [value];
  return isObject(value) ? [askOf(value)] : [''];
}

const askOf = (row: JsonObject) => (typeof row['prompt'] === 'string' ? row['prompt'] : '');
