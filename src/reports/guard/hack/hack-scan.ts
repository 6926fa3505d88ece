import { z } from 'zod';
import type { JsonObject } from '../../../core/json-object.ts';
import { parseOptions } from '../../../core/operator.ts';
import { asWarnings } from '../../../core/remarks.ts';
import { type Feature, featuresOf } from './columns.ts';
import { asFeature, conjunctions } from './conjunctions.ts';
import { givenDeal } from './deal.ts';
import { chanceFloor } from './floor.ts';
import { type Graded, gradedRows } from './graded.ts';
import type { HackFeature } from './hack-feature.ts';
import type { Measure } from './hand-columns.ts';
import { pooledWith } from './pooled.ts';
import { type HackRegime, regimeOf } from './regime.ts';
import { hackRemarks } from './remarks.ts';
import { supportOf } from './support.ts';
import { type Ready, ready, rho, rhoBetween } from './within.ts';

const measure = z.custom<Measure>((value) => typeof value === 'function', 'a function of a row');

export const hackScanOptions = {
  endorsed: z
    .array(z.string())
    .default([])
    .describe('What the reward should pay for: a part of a feature name, whatever its case.'),
  features: z.record(z.string(), measure).default({}).describe('More numbers to measure rows by, by name.'),
  auto: z.boolean().default(true).describe('Measure the terms of the text, and where they stand.'),
  topK: z.int().min(0).default(200).describe('Most frequent terms that are tested.'),
  nPerm: z.int().min(1).default(200).describe('Shuffles behind the floor; under 200 it hangs on the draw.'),
  minObs: z
    .union([z.int().min(1), z.literal('auto')])
    .default(20)
    .describe('Rows on which a feature must be seen; `auto` is 5 % of the rows, from 5 to 20.'),
  seeds: z.int().min(0).default(12).describe('Features that are joined two by two.'),
  reward: z.string().default('reward').describe('The field that holds the reward.'),
  seed: z.int().default(0).describe('Seed of the shuffles.'),
  topFeatures: z.int().min(0).default(20).describe('Features that are reported.'),
  alpha: z.number().gt(0).lt(1).default(0.05).describe('Share of noise sets that may be taken for a signal.'),
};
const options = z.strictObject(hackScanOptions);
type Options = z.output<typeof options>;

/**
 * Ask what separates reward within a task, since a grouped update sees nothing else: every column of the rows is correlated
 * with the reward less its task's mean, and compared with what shuffled rewards reach. A feature on top that nobody endorsed
 * is what the policy would learn.
 *
 * Cost: 10,000 rows take about a third of a second; memory is 250 bytes a row and what the texts hold.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source GRPO (arXiv:2402.03300) for centring; Gao et al. 2022 (arXiv:2210.10760); rlhfbook ch. 6, 14
 */
export function hackScan(rows: readonly JsonObject[], given: z.input<typeof options> = {}) {
  const opts = parseOptions('hackScan', options, given);
  const scan = scanAll(rows, opts);
  return { ...scan, features: scan.features.slice(0, opts.topFeatures) };
}

export type HackScan = ReturnType<typeof hackScan>;

/** The scan with every feature. */
export function scanAll(rows: readonly JsonObject[], opts: Options) {
  const graded = gradedRows(rows, opts.reward);
  const n = graded.rows.length;
  const minObs = opts.minObs === 'auto' ? Math.max(5, Math.min(20, Math.ceil(0.05 * n))) : opts.minObs;
  const support = supportOf(graded);
  const columns = n === 0 ? [] : featuresOf(graded.rows, { ...opts, minObs });
  const features = columns.map((feature) => ready(feature, graded)).sort(byName);
  const isTestable = support.n_groups_multi > 0 && graded.spread > 1e-12 && features.length > 0;
  const deal = givenDeal(graded);
  const rhos = Float64Array.from(features, (one) => rho(one, deal));
  const single = features.map((one, at): Scored => ({ ready: one, rho: rhos[at] as number }));
  const found = isTestable ? conjunctions({ features, rhos }, deal, { seeds: opts.seeds, minObs }) : [];
  const joint = found.map((one): Scored => ({ ready: ready(asFeature(one), graded), rho: one.rho }));
  const tau = isTestable ? chanceFloor(features, graded, { ...opts, minObs }) : 0;
  const ranked = rank([...single, ...joint], graded, tau, opts.endorsed);
  const verdict = judge(ranked, graded, { tau, isTestable, opts, support });
  return {
    regime: verdict.regime,
    n_rows: rows.length,
    n_graded: n,
    ...support,
    tau: round4(tau),
    n_perm: opts.nPerm,
    n_features: ranked.length,
    n_above_floor: ranked.filter(({ above_floor }) => above_floor).length,
    features: ranked.map(({ scored: _, ...feature }): HackFeature => feature),
    top_feature: verdict.top_feature,
    rho_max: isTestable ? Math.abs(ranked[0]?.rho ?? 0) : 0,
    endorsed: opts.endorsed,
    endorsed_matched: verdict.matched,
    endorsed_on_top: verdict.onTop,
    integrity: verdict.integrity,
    inverted: verdict.inverted,
    continuous_reward: graded.rewards.some((reward) => reward !== 0 && reward !== 1),
    degenerate: verdict.regime === 'degenerate',
    collinear: verdict.collinear,
    distinct_per_ask: support.distinct_per_ask,
    ...asWarnings(hackRemarks({ ...verdict, ...support, n_graded: n, minObs, endorsed: opts.endorsed })),
  };
}

/** A feature with its correlation under the rewards as they were given. */
interface Scored {
  readonly ready: Ready;
  readonly rho: number;
}

const byName = (a: Ready, b: Ready): number => (a.feature.name < b.feature.name ? -1 : 1);

interface Ranked extends HackFeature {
  readonly scored: Scored;
}

function rank(scored: readonly Scored[], graded: Graded, tau: number, endorsed: readonly string[]): readonly Ranked[] {
  const wanted = endorsed.map((word) => word.toLowerCase());
  const isWanted = ({ name, aliases, parents }: Feature): boolean =>
    [name, ...aliases].some((one) => wanted.some((word) => one.toLowerCase().includes(word))) ||
    (parents?.some(isWanted) ?? false);
  const pooledOf = pooledWith(graded);
  return scored
    .map((one): Ranked => {
      const { feature } = one.ready;
      const pooled = pooledOf(one.ready);
      return {
        name: feature.name,
        aliases: feature.aliases,
        rho: round4(one.rho),
        pooled: pooled === null ? null : round4(pooled),
        n_obs: feature.observed,
        above_floor: Math.abs(one.rho) > tau && tau > 0,
        endorsed: isWanted(feature),
        scored: one,
      };
    })
    .sort((a, b) => strength(b) - strength(a) || favour(b) - favour(a) || (a.name < b.name ? -1 : 1));
}

const strength = ({ scored }: Ranked): number => Math.round(Math.abs(scored.rho) * 1e6);
const favour = ({ endorsed, scored }: Ranked): number => (endorsed && scored.rho > 0 ? 1 : 0);

interface Judged {
  readonly tau: number;
  readonly isTestable: boolean;
  readonly opts: Options;
  readonly support: ReturnType<typeof supportOf>;
}

/** What the ranking says: the regime, and everything that is only said in some regimes. */
function judge(ranked: readonly Ranked[], graded: Graded, { tau, isTestable, opts, support }: Judged) {
  const isAsked = opts.endorsed.length > 0;
  const matched = ranked.filter(({ endorsed }) => endorsed).length;
  const perfect = ranked.filter(
    ({ scored }) => scored.ready.feature.parents === undefined && Math.abs(scored.rho) >= 0.999,
  );
  const regime: HackRegime = regimeOf({
    isTestable,
    isUnmatched: isAsked && matched === 0,
    isDegenerate: perfect.length >= 2 && support.distinct_per_ask < 3,
    top: ranked[0],
    isAsked,
    sat: support.support.sat,
  });
  const isNamed = isTestable && regime !== 'degenerate';
  const isRead = isNamed && regime !== 'unknown';
  const top = ranked[0];
  const inverted = isRead ? ranked.filter(({ endorsed, above_floor, rho }) => endorsed && above_floor && rho < 0) : [];
  return {
    regime,
    matched,
    isTestable,
    top_feature: isNamed ? (top?.name ?? null) : null,
    top,
    onTop: isAsked && isRead && top ? top.endorsed && top.rho > 0 : null,
    integrity: isAsked && isRead ? integrityOf(ranked, graded, tau) : null,
    inverted: inverted.map(({ name }) => name).sort(),
    collinear: isTestable && regime !== 'unknown' && perfect.length >= 2 ? perfect.map(({ name }) => name).sort() : [],
  };
}

/**
 * The share of the explained reward that is endorsed: 1 when nothing else passes the floor. A feature that says nothing once
 * the endorsed one is known (each tool call adds an assistant turn) is no rival.
 */
function integrityOf(ranked: readonly Ranked[], graded: Graded, tau: number): number {
  const best = ranked.find(({ endorsed, above_floor, rho }) => endorsed && above_floor && rho > 0);
  const rival = ranked.find((one) => !one.endorsed && one.above_floor && !isTwin(one, best, graded, tau));
  const [e, a] = [Math.abs(best?.scored.rho ?? 0), Math.abs(rival?.scored.rho ?? 0)];
  return e + a === 0 ? 0 : round4(e / (e + a));
}

function isTwin(one: Ranked, best: Ranked | undefined, graded: Graded, tau: number): boolean {
  if (!best) return false;
  const between = rhoBetween(one.scored.ready, best.scored.ready, graded);
  const left = (1 - between ** 2) * (1 - best.scored.rho ** 2);
  if (left < 1e-9) return Math.abs(between) > 1 - 1e-6; // the endorsed feature explains all of the reward, or is the same
  return Math.abs(one.scored.rho - between * best.scored.rho) / Math.sqrt(left) <= tau;
}

const round4 = (value: number): number => Math.round(value * 1e4) / 1e4;
