import { metricName } from '../../rows/metric.ts';
import type { MetricDelta } from './metrics.ts';
import { isUp, movement, type TargetVerdict } from './verdict.ts';

/** What became of the metric that was trained on. */
export interface ProxyDelta {
  readonly proxy: string | null;
  readonly proxy_verdict: TargetVerdict | 'proxy_not_measured' | 'proxy_is_target' | null;
  readonly proxy_delta: number | null;
  readonly proxy_ci95: MetricDelta['ci95'];
  /** True when the proxy rose and the target did not, or by clearly less. */
  readonly over_optimized: boolean;
}

/**
 * Compare the metric that was trained on with the one that counts: a proxy that runs ahead of its target is optimized too far.
 *
 * @source rlhfbook ch. 14; Gao et al. 2022, arXiv 2210.10760
 */
export function proxyOf(
  named: string | undefined,
  metrics: ReadonlyMap<string, MetricDelta>,
  headline: MetricDelta,
): ProxyDelta {
  if (named === undefined)
    return { proxy: null, proxy_verdict: null, proxy_delta: null, proxy_ci95: null, over_optimized: false };
  const name = metricName(named);
  const found = metrics.get(name);
  const rest = { proxy: name, proxy_delta: found?.delta ?? null, proxy_ci95: found?.ci95 ?? null };
  if (name === headline.metric) return { ...rest, proxy_verdict: 'proxy_is_target', over_optimized: false };
  if (!found || found.delta === null) return { ...rest, proxy_verdict: 'proxy_not_measured', over_optimized: false };
  const isAhead = found.ci95 !== null && headline.ci95 !== null && found.ci95[0] > headline.ci95[1];
  const verdict = movement(found);
  return {
    ...rest,
    proxy_verdict: verdict === 'moved_unreplicated' ? 'moved' : verdict,
    over_optimized: isUp(found) && (!isUp(headline) || isAhead),
  };
}
