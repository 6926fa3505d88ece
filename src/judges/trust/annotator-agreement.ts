import type { Row } from '../../rows/row.ts';
import { cohenKappa, krippendorffAlpha } from '../../stats/rater-agreement.ts';
import { four, shareOf } from '../rounding.ts';
import { votesOf } from './attach-labels.ts';

const maxDisagreements = 20;

/**
 * Say how far annotators agree with each other, by the latest label of each: a judge cannot be better than they are. Kappa is
 * that of the pair with the most rows in common, alpha that of all together.
 *
 * @source Cohen 1960; Krippendorff 2004; rlhfbook ch. 5
 */
export function annotatorAgreement(rows: readonly Row[]) {
  const labelled = rows.map((row) => ({ row, labels: latest(row) })).filter(({ labels }) => labels.size > 0);
  const several = labelled.filter(({ labels }) => labels.size > 1);
  const split = several.filter(({ labels }) => new Set(labels.values()).size > 1);
  const pair = busiestPair(several.map(({ labels }) => labels));
  const alpha = krippendorffAlpha(several.map(({ labels }) => [...labels.values()]));
  return {
    per_annotator: perAnnotator(labelled.map(({ labels }) => labels)),
    multi_labeled: several.length,
    unanimous: shareOf(several.length - split.length, several.length),
    kappa: pair ? pair.kappa : null,
    pair: pair ? pair.names : null,
    alpha: alpha === null ? null : four(alpha),
    disagreements: split.slice(0, maxDisagreements).map(({ row, labels }) => ({
      prompt: String(row.prompt ?? '').slice(0, 160),
      labels: Object.fromEntries(labels),
    })),
  };
}

type ByAnnotator = ReadonlyMap<string, 0 | 1>;
const latest = (row: Row): ByAnnotator =>
  new Map(votesOf({ ...row }).map(({ annotator, label }) => [annotator, label]));

function perAnnotator(all: readonly ByAnnotator[]) {
  const sums = new Map<string, { labels: number; passes: number }>();
  for (const labels of all)
    for (const [name, label] of labels) {
      const sum = sums.get(name) ?? { labels: 0, passes: 0 };
      sums.set(name, { labels: sum.labels + 1, passes: sum.passes + label });
    }
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([name, { labels, passes }]) => [name, { labels, pass_share: four(passes / labels) }]),
  );
}

interface Pair {
  readonly names: readonly [string, string];
  readonly counts: { tp: number; fp: number; fn: number; tn: number };
}
const rowsOf = ({ counts: { tp, fp, fn, tn } }: Pair) => tp + fp + fn + tn;

/** Pairs are counted where they meet: annotators of a row are few. */
function busiestPair(all: readonly ByAnnotator[]) {
  const pairs = new Map<string, Pair>();
  for (const labels of all) for (const names of pairsOf([...labels.keys()].sort())) count(pairs, names, labels);
  const [first] = [...pairs.values()].sort((a, b) => rowsOf(b) - rowsOf(a) || (a.names < b.names ? -1 : 1));
  if (!first) return undefined;
  const kappa = cohenKappa(first.counts);
  return { names: first.names, kappa: kappa === null ? null : four(kappa) };
}

const pairsOf = (names: readonly string[]): (readonly [string, string])[] =>
  names.flatMap((a, n) => names.slice(n + 1).map((b) => [a, b] as const));

function count(pairs: Map<string, Pair>, names: readonly [string, string], labels: ByAnnotator): void {
  const key = JSON.stringify(names);
  const pair = pairs.get(key) ?? { names, counts: { tp: 0, fp: 0, fn: 0, tn: 0 } };
  pairs.set(key, pair);
  const [a, b] = names.map((name) => labels.get(name) === 1);
  pair.counts[a ? (b ? 'tp' : 'fp') : b ? 'fn' : 'tn']++;
}
