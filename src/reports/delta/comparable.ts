import type { Remark } from '../../core/remarks.ts';
import { normalQuantile } from '../../stats/quantiles.ts';
import { round } from '../round.ts';
import { configOf, type RunConfig, type RunConfigState } from '../run-config.ts';
import type { MetricDelta } from './metrics.ts';
import type { DeltaSettings } from './options.ts';
import type { Side } from './state.ts';

/** Whether the two runs measured the same thing. */
export interface Comparability {
  readonly config: { readonly before: RunConfig; readonly after: RunConfig };
  /** What makes the runs incomparable. */
  readonly reasons: readonly string[];
  /** True when one of the reasons fails the gate; a different prompt does not. */
  readonly isFatal: boolean;
  readonly warnings: readonly Remark[];
}

interface Check {
  readonly code: string;
  readonly text: string;
  /** Given when the runs are incomparable by it. */
  readonly reason?: string;
  readonly isFatal?: boolean;
}

const maxTruncatedGap = 0.05; // house rule: more cut replies on one side than this is a difference of its own
const lowGraded = 0.95;
const answeredBar = 0.1;
const answeredLevel = 0.01;

/** Compare how the two runs were made. Only settings that both sides know are compared. */
export function comparability(before: Side, after: Side, headline: MetricDelta, given: DeltaSettings): Comparability {
  const [a, b] = [before, after].map(({ passes }) => configOf(passes.config, { n_tasks: null, k: null })) as [
    RunConfig,
    RunConfig,
  ];
  const checks = [
    ...settingChecks(a, b),
    ...promptChecks(a, b, given.promptIsTheChange),
    ...modelChecks(a, b),
    ...shareChecks(before.passes.config, after.passes.config, headline),
    ...answeredChecks(before.passes.config, after.passes.config, headline),
  ];
  const lost = headline.paired_share !== null && headline.paired_share < 0.5 && headline.delta !== null;
  const fatal = checks.filter(({ isFatal }) => isFatal);
  return {
    config: { before: a, after: b },
    reasons: [...checks.flatMap(({ reason }) => reason ?? []), ...(lost ? ['situations'] : [])],
    isFatal: lost || fatal.length > 0,
    warnings: checks.map(({ code, text }) => ({ code, text })),
  };
}

function settingChecks(a: RunConfig, b: RunConfig): Check[] {
  const words = { judge_version: 'judge', temperature: 'temperature', max_tokens: 'token limit' } as const;
  const checks: Check[] = (Object.keys(words) as (keyof typeof words)[])
    .filter((name) => differ(a[name], b[name]))
    .map((name) => ({
      code: `${name}_differs`,
      text: `The ${words[name]} differs: ${String(a[name])} and ${String(b[name])}.`,
    }));
  const [cutA, cutB] = [a.truncated_share, b.truncated_share];
  if (cutA !== null && cutB !== null && Math.abs(cutA - cutB) > maxTruncatedGap)
    checks.push({ code: 'truncated_share_differs', text: `Replies cut at the limit: ${cutA} and ${cutB} of all.` });
  return checks;
}

function promptChecks(a: RunConfig, b: RunConfig, isTheChange: boolean): Check[] {
  const checks: Check[] = [];
  if (differ(a.prompt_hash, b.prompt_hash) && !isTheChange)
    checks.push({
      code: 'prompt_hash_differs',
      reason: 'prompt_hash',
      text: 'The system prompt differs: the delta is of prompt and policy together. Say promptIsTheChange if that is meant.',
    });
  if (a.policy_version !== null && a.policy_version === b.policy_version)
    checks.push({ code: 'same_policy_version', text: `Both sides are policy ${String(a.policy_version)}.` });
  return checks;
}

/** Writers that are no model ask the same way whichever of them it was. */
const plainWriters = new Set<unknown>(['seed', 'template', 'pinned', 'callable-writer']);

function modelChecks(a: RunConfig, b: RunConfig): Check[] {
  const [before, after] = [a, b].map(({ policy_version }) => String(policy_version ?? '').split('@')[0]);
  const isSameName = before !== '' && before === after && differ(a.policy_version, b.policy_version);
  return (['user_model', 'writer_model'] as const).flatMap((name): Check[] => {
    const [left, right] = [a[name], b[name]];
    const areBothPlain = plainWriters.has(left) && plainWriters.has(right);
    if (differ(left, right) && !areBothPlain)
      return [
        {
          code: `${name}_differs`,
          reason: name,
          isFatal: true,
          text: `The ${name} differs: ${String(left)} and ${String(right)}.`,
        },
      ];
    return isSameName && left === before && right === after
      ? [
          {
            code: `${name}_follows_agent`,
            text: `The ${name} carries the agent's name ${before}: it may have changed with it.`,
          },
        ]
      : [];
  });
}

/** Rows left out for want of a verdict may have been the bad ones: bound what that can be worth. */
function shareChecks(a: RunConfigState, b: RunConfigState, { noise_band, ci95, delta }: MetricDelta): Check[] {
  if (a.rows === 0 || b.rows === 0) return [];
  const dropped = [a, b].map(({ graded, rows }) => 1 - graded / rows);
  const bound = dropped.reduce((sum, share) => sum + (share === 1 ? 1 : share / (1 - share)), 0);
  const bar = noise_band ?? (ci95 === null ? null : (ci95[1] - ci95[0]) / 2);
  const graded = `graded: ${dropped.map((share) => round(1 - share)).join(' and ')} of the rows`;
  if (bar !== null && bound > bar && delta !== null && bound >= Math.abs(delta))
    return [
      {
        code: 'graded_share_not_comparable',
        reason: 'graded_share',
        isFatal: true,
        text: `The rows without a verdict can explain the whole delta (${graded}).`,
      },
    ];
  if (bar !== null && bound > bar)
    return [
      {
        code: 'graded_share_unproven',
        text: `The rows without a verdict can move the delta by ${round(bound)} (${graded}).`,
      },
    ];
  return Math.max(...dropped) > 1 - lowGraded
    ? [{ code: 'graded_share_low', text: `Not all rows have a verdict (${graded}).` }]
    : [];
}

/** Pooled two-proportion z test on the shares of rows that answer at all. */
function answeredChecks(a: RunConfigState, b: RunConfigState, { noise_band }: MetricDelta): Check[] {
  if (a.replies === 0 || b.replies === 0) return [];
  const [left, right] = [a.answered / a.replies, b.answered / b.replies];
  const share = (a.answered + b.answered) / (a.replies + b.replies);
  const error = Math.sqrt(share * (1 - share) * (1 / a.replies + 1 / b.replies));
  const gap = Math.abs(left - right);
  if (error === 0 || gap / error <= normalQuantile(1 - answeredLevel / 2)) return [];
  const isWide = gap > (noise_band ?? answeredBar);
  const check = {
    code: 'answered_gap',
    text: `Rows that answer at all: ${round(left)} and ${round(right)}: the delta is partly that.`,
  };
  return [isWide ? { ...check, reason: 'answered', isFatal: true } : check];
}

const differ = (a: unknown, b: unknown) => a !== null && b !== null && a !== b;
