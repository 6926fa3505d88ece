import type { AlarmKind } from '../../rows/alarm.ts';
import type { MonitorSettings } from './options.ts';
import type { NamedScan } from './scored-buffer.ts';
import type { WindowFacts } from './window-facts.ts';

/** What is raised at one evaluation, before it is said of which run and step. */
export interface Raised {
  readonly kind: AlarmKind | 'blind';
  readonly reason: string;
  readonly [evidence: string]: unknown;
}

const slack = 1e-9; // "house rule": 0.3 - 0.2 is a gain of 0.1

/** Raise `drift` when the KL is past its budget; one that is no number is past any. */
export function drift(kl: number | undefined, { klBudget }: MonitorSettings): Raised[] {
  if (klBudget === null || kl === undefined || kl <= klBudget) return [];
  const reason = Number.isNaN(kl) ? 'the KL is no number any more' : `KL ${show(kl)} is past its budget of ${klBudget}`;
  return [{ kind: 'drift', reason, kl: Number.isFinite(kl) ? kl : null, kl_budget: klBudget }];
}

/** Raise `feature` for each reward that pays for what is not endorsed. */
export function feature(scans: readonly NamedScan[]): Raised[] {
  return scans
    .filter(({ scan }) => scan.regime === 'reward_hack')
    .map(({ name, scan }) => ({
      kind: 'feature',
      reason: scan.warnings[0] ?? `the reward pays for ${String(scan.top_feature)}`,
      reward_name: name,
      ...scanFields(scan),
    }));
}

/** The fields of a scan that a monitor tells. */
export const scanFields = ({ regime, top_feature, rho_max, tau, integrity }: NamedScan['scan']) => ({
  regime,
  top_feature,
  rho_max,
  tau,
  integrity,
});

/**
 * Raise `divergence` when the proxy climbed and gold did not follow; by the rule `significant` only when neither the climb
 * nor the gap that opened is chance. Too little gold to compare is no evidence.
 *
 * @source Gao et al. 2022 (arXiv:2210.10760); rlhfbook ch. 14
 */
export function divergence({ proxy_gain, gold, since_step, test }: WindowFacts, settings: MonitorSettings): Raised[] {
  if (proxy_gain === null || gold === null) return [];
  if (gold.verdict === 'b_better' || gold.verdict === 'insufficient_data') return [];
  const isLost = Number.isNaN(proxy_gain);
  if (!isLost && proxy_gain < settings.delta - slack) return [];
  if (!isLost && settings.divergenceRule === 'significant' && !test.is_significant) return [];
  const half = gold.ci95 === null ? null : (gold.ci95[1] - gold.ci95[0]) / 2;
  return [
    {
      kind: 'divergence',
      reason: isLost
        ? 'the proxy reward is no number any more'
        : `proxy +${show(proxy_gain)} since step ${since_step}, gold ${show(gold.delta ?? 0)}: not up`,
      proxy_gain: isLost ? null : proxy_gain,
      gold_delta: gold.delta,
      since_step,
      gold_ci95: gold.ci95,
      n_tasks: gold.n_used,
      low_power: half === null || half > proxy_gain,
      ...(settings.divergenceRule === 'significant' && { test }),
    },
  ];
}

/** Raise `length` when completions grew and gold is not up, also when there is no gold at all. */
export function lengthAlarm(
  { length_growth, gold, since_step }: WindowFacts,
  { lengthPct }: MonitorSettings,
): Raised[] {
  if (length_growth === null || length_growth < lengthPct - slack || gold?.verdict === 'b_better') return [];
  const reason = `completions are ${show(100 * length_growth)} % longer than at step ${since_step}, gold is not up`;
  return [{ kind: 'length', reason, length_growth, since_step }];
}

interface Sight {
  readonly kl: number | undefined;
  readonly proxy: number | undefined;
  readonly gold: number | undefined;
  /** An earlier evaluation had gold. */
  readonly hadGold: boolean;
  readonly scans: readonly NamedScan[];
  readonly facts: WindowFacts | undefined;
}

/** Notice what could not be watched at this evaluation: a monitor that sees nothing is silent, and so is a healthy run. */
export function blind({ kl, proxy, gold, hadGold, scans, facts }: Sight, settings: MonitorSettings): Raised[] {
  const unmatched = scans.filter(({ scan }) => scan.endorsed_matched === 0).map(({ name }) => name);
  const isWeak = settings.divergenceRule === 'significant' && facts?.gold != null && !facts.test.can_decide;
  const seen: readonly (readonly [boolean, string, string])[] = [
    [Number.isNaN(kl), 'kl', 'the KL is no number'],
    [Number.isNaN(proxy), 'proxy', 'the proxy reward is no number'],
    [hadGold && gold === undefined, 'gold', 'the gold judge judged no completion'],
    [unmatched.length > 0, 'endorsed', `no feature is endorsed in the completions of ${unmatched.join(', ')}`],
    [isWeak, 'divergence', `${facts?.test.n_tasks} asks cannot show a divergence at level ${facts?.test.level}`],
  ];
  return seen.filter(([is]) => is).map(([, what, reason]) => ({ kind: 'blind', reason, what }));
}

const show = (value: number): string => String(Math.round(value * 1e4) / 1e4);
