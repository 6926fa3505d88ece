import { promptLineage } from '../../agents/rollout-row.ts';
import type { PassAt } from '../../reports/pass-at/index.ts';
import { nextMeta, type RunMeta } from '../../rows/run-meta.ts';
import { toModelTool } from '../../rows/tool.ts';
import type { SimulationPlan } from './plan.ts';
import type { SimulateResult } from './result.ts';

/** What the rows of a run do not say themselves, for the file beside them. `settings` are those it was called with. */
export function sidecarOf(
  plan: SimulationPlan,
  result: SimulateResult & { readonly pass_at: PassAt },
  settings: Readonly<Record<string, unknown>>,
): RunMeta {
  const { stopped_because, coverage, search, degraded, warnings, warning_codes, pass_at, rows } = result;
  const { systemPrompt } = plan;
  return {
    ...nextMeta(undefined, 'simulate', settings),
    system_prompt: systemPrompt,
    system_prompts: { [promptLineage(systemPrompt).system_prompt_sha]: systemPrompt },
    tools: plan.tools.map((tool) => ({ ...toModelTool(tool) })),
    stopped_because,
    coverage,
    pass_at,
    search,
    budget: plan.settings.rows,
    degraded: [...degraded],
    warnings: [...warnings],
    warning_codes: [...warning_codes],
    ...plan.figures(rows),
  };
}
